import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'

/** Stores files under the hash of their content: a name means the same bytes for ever. */
export interface BlobStore {
  /** Stores a file; storing the same file again changes nothing. */
  put(name: string, bytes: Uint8Array, type: string): Promise<void>
  /** The bytes of a file, or null. */
  get(name: string): Promise<Uint8Array | null>
}

/** Files in a local folder, written atomically. */
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

/** Timeout of a request to the bucket, in milliseconds. */
const TIMEOUT_MS = 10_000

/** Files in a bucket of an S3-compatible store. Its URL holds key, secret and region. */
export function bucketBlobs(address: string): BlobStore {
  const { origin, pathname, username, password, searchParams } = new URL(address)
  const client = new AwsClient({
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
    region: searchParams.get('region') ?? 'auto',
    service: 's3',
    retries: 2,
  })
  const bucket = origin + pathname.replace(/\/+$/, '')
  const ask = async (name: string, init: RequestInit) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await client.fetch(`${bucket}/${name}`, { ...init, redirect: 'error', signal })
    if (!response.ok && response.status !== 404) throw new Error(`the bucket answered ${response.status} to ${init.method} ${name}`)
    return response
  }
  return {
    async put(name, bytes, type) {
      const { status } = await ask(name, { method: 'PUT', body: Uint8Array.from(bytes), headers: { 'content-type': type } })
      if (status === 404) throw new Error('there is no such bucket')
    },
    async get(name) {
      const response = await ask(name, { method: 'GET' })
      return response.status === 404 ? null : new Uint8Array(await response.arrayBuffer())
    },
  }
}

/** The store that the settings name: a bucket, otherwise a local folder. */
export const openBlobs = ({ dataDir, uploadsUrl }: { dataDir: string; uploadsUrl: string | null }): BlobStore =>
  uploadsUrl ? bucketBlobs(uploadsUrl) : diskBlobs(`${dataDir}/uploads`)
