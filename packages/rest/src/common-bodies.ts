import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Bytes as web-standard responses take them. */
type Bytes = Buffer<ArrayBuffer>

/** Bodies below this size, in bytes, are not compressed. */
const LEAST = 1024

const codings = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) as Promise<Bytes>,
  gzip: (bytes: Bytes) => promisify(gzip)(bytes) as Promise<Bytes>,
}
type Coding = keyof typeof codings

/** A body, possibly compressed, with the headers that say so. */
export interface CommonBody {
  body: Bytes
  headers: Record<string, string>
}

/** Bodies that are the same for every caller: compressed once per requested coding. */
export class CommonBodies {
  readonly #coded = new WeakMap<Bytes, Partial<Record<Coding, Promise<Bytes>>>>()

  /** The body of bytes that never change. */
  async of(bytes: Bytes, acceptEncoding: string | undefined): Promise<CommonBody> {
    const coding = bytes.length < LEAST ? null : preferred(acceptEncoding ?? '')
    if (coding === null) return { body: bytes, headers: {} }
    const coded = this.#coded.get(bytes) ?? {}
    this.#coded.set(bytes, coded)
    coded[coding] ??= codings[coding](bytes)
    return { body: await coded[coding], headers: { 'Content-Encoding': coding } }
  }
}

/** The best coding that both sides support. */
function preferred(acceptEncoding: string): Coding | null {
  const taken = new Set(
    acceptEncoding.split(',').flatMap((part) => {
      const [, name, weight] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part.toLowerCase()) ?? []
      return name !== undefined && Number(weight ?? 1) > 0 ? [name] : []
    }),
  )
  return (['br', 'gzip'] as const).find((coding) => taken.has(coding)) ?? null
}
