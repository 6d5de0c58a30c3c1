import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Bytes that a response takes, also by web standards. */
type Bytes = Buffer<ArrayBuffer>

/** Bytes below which nothing is gained by a coding. */
const LEAST = 1024

const codings = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) as Promise<Bytes>,
  gzip: (bytes: Bytes) => promisify(gzip)(bytes) as Promise<Bytes>,
}
type Coding = keyof typeof codings

interface Made {
  bytes: Bytes
  coded: Partial<Record<Coding, Promise<Bytes>>>
}

/** A body in the form that its reader understands, and the headers that say so. */
export interface CommonBody {
  body: Bytes
  headers: Record<string, string>
}

/**
 * Bodies that are the same for everybody: of one value the bytes are made once, and coded once for each coding that somebody asked for.
 * For nothing that depends on who asks.
 */
export class CommonBodies {
  readonly #made = new WeakMap<object, Made>()

  /** The JSON of a value that nobody changes. */
  async of(value: object, acceptEncoding: string | undefined): Promise<CommonBody> {
    let made = this.#made.get(value)
    if (!made) {
      made = { bytes: Buffer.from(JSON.stringify(value)), coded: {} }
      this.#made.set(value, made)
    }
    const { bytes, coded } = made
    const coding = bytes.length < LEAST ? null : preferred(acceptEncoding ?? '')
    if (coding === null) return { body: bytes, headers: {} }
    coded[coding] ??= codings[coding](bytes)
    return { body: await coded[coding], headers: { 'Content-Encoding': coding } }
  }
}

/** The best coding of ours that a reader takes. */
function preferred(acceptEncoding: string): Coding | null {
  const taken = new Set(
    acceptEncoding.split(',').flatMap((part) => {
      const [, name, weight] = /^\s*([\w*-]+)\s*(?:;\s*q=([\d.]+)\s*)?$/.exec(part.toLowerCase()) ?? []
      return name !== undefined && Number(weight ?? 1) > 0 ? [name] : []
    }),
  )
  return (['br', 'gzip'] as const).find((coding) => taken.has(coding)) ?? null
}
