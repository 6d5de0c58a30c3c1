import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The shell code blocks of a document of the repository, for tests that run them. */
export const shellBlocks = (path: string): string[] =>
  [...readFileSync(join(import.meta.dirname, '../../..', path), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!)
