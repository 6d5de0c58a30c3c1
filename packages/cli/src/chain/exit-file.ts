import { readFile } from 'node:fs/promises'
import { type ExitFile, exitFile } from '@augury/wire/exit-file'
import { Failure } from '../failure.ts'

/** Reads an exit file. Throws a failure if it is none. */
export async function readExitFile(path: string): Promise<ExitFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new Failure('bad_exit_file', `${path} cannot be read: ${(error as Error).message}`, 2)
  }
  try {
    return exitFile.parse(JSON.parse(text))
  } catch {
    throw new Failure('bad_exit_file', `${path} is no exit file: get yours on the page Proof of reserves`, 2)
  }
}
