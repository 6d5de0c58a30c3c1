import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Runs the garbage collector. Targets of weak references dereferenced in this turn of the event loop are kept. */
export const collectGarbage = runInNewContext('gc') as () => void
