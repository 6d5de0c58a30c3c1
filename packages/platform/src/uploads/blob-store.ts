import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Keeps files by the hash of what is in them: a name means the same bytes for ever. */
export interface BlobStore {
  /** Keeps a file; the same again changes nothing. */
  put(name: string, bytes: Uint8Array, type: string): Promise<void>
  /** The bytes of a file, or null. */
  get(name: string): Promise<Uint8Array | null>
}

/** Files in a folder of this machine. Each appears whole or not at all. */
export function diskBlobs(folder: string): BlobStore {
  return {
    async put(name, bytes) {
      await mkdir(folder, { recursive: true })
      const half = join(folder, `.${randomUUID()}`)
      await writeFile(half, bytes, { mode: 0o644 })
      await rename(half, join(folder, name))
    },
    async get(name) {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
  }
}
