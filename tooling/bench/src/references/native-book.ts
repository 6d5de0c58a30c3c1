import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TapeResult } from '../tape.ts'

/** The two C++ books, over one tape that is dealt out to as many of them as it was made for. */
export interface NativeBooks {
  run(kind: 'map' | 'array'): TapeResult & { seconds: number }
  /** Removes the program and the tape. */
  remove(): void
}

/** Compiles the C++ books and hands them the tape; null where no compiler is found. */
export function nativeBooks(tape: Int32Array, books = 1): NativeBooks | null {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const [program, input] = [join(folder, 'book'), join(folder, 'tape')]
  try {
    execFileSync('g++', ['-O3', '-march=native', '-std=c++17', '-o', program, join(import.meta.dirname, 'book.cpp')], { stdio: 'pipe' })
  } catch (error) {
    remove()
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  writeFileSync(input, new Uint8Array(tape.buffer, tape.byteOffset, tape.byteLength))
  return { run: (kind) => JSON.parse(execFileSync(program, [kind, input, String(books)], { encoding: 'utf8' })), remove }
}
