import { compile } from '@inlang/paraglide-js'
import { paraglideOptions } from '../paraglide.ts'

/** Makes functions of the messages: what types and tests need before anything is built. */
await compile(paraglideOptions)
