import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The blocks of a document of the repository that are for a shell, so that a test can run what readers are told to. */
export const shellBlocks = (path: string): string[] =>
  [...readFileSync(join(import.meta.dirname, '../../..', path), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!)
