import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { jsonBytes } from '@augury/platform/cache/json-bytes'

/** Bytes that a response takes, also by web standards. */
type Bytes = Buffer<ArrayBuffer>

/** Bytes below which nothing is gained by a coding. */
const LEAST = 1024

const codings = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) as Promise<Bytes>,
  gzip: (bytes: Bytes) => promisify(gzip)(bytes) as Promise<Bytes>,
}
type Coding = keyof typeof codings

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
  readonly #coded = new WeakMap<object, Partial<Record<Coding, Promise<Bytes>>>>()

  /** The JSON of a value that nobody changes. */
  async of(value: object, acceptEncoding: string | undefined): Promise<CommonBody> {
    const bytes = jsonBytes(value)
    const coding = bytes.length < LEAST ? null : preferred(acceptEncoding ?? '')
    if (coding === null) return { body: bytes, headers: {} }
    const coded = this.#coded.get(value) ?? {}
    this.#coded.set(value, coded)
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
