import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { guard } from '@augury/testing/guard'
import { temporaryFolder } from '@augury/testing/temporary-folder'

const CHUNK = Buffer.alloc(1024 * 1024, 1)
const PAGE_BYTES = 4096

/** A small file system. */
export interface SmallDisk {
  folder: string
  /** Fills it, to the last page. */
  fill(): void
  /** Frees that again. */
  free(): void
  /** Unmounts it. Nothing may use it any more. */
  remove(): void
}

/** A file system in memory of so many MiB, or null where mounting is not permitted. It goes with this process. */
export function smallDisk(mebibytes: number): SmallDisk | null {
  const folder = temporaryFolder('disk')
  const options = `size=${mebibytes}m,mode=755`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'augury-small-disk', folder]).status !== 0) return null
  const release = guard('umount -l "$1"', [folder])
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const bytes of [CHUNK, CHUNK.subarray(0, PAGE_BYTES)]) while (hasRoom(file, bytes));
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', folder])
      release()
    },
  }
}

function hasRoom(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
