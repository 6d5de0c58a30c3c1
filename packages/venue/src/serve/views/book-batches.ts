import { TOKEN_BATCH } from '@augury/wire/limits'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Books, Token, Version } from '../../base/books.ts'
import { BufferPool } from './buffer-pool.ts'

/** A token with the bytes that ask for it and the bytes of its displayed book, behind a comma. */
interface Shown {
  readonly token: Token
  readonly asked: DataView
  /** Live version of the book, and the log position that `bytes` are of. */
  readonly version: Readonly<Version>
  seq: number
  bytes: Uint8Array
  /** Number of the last batch that mentioned it, which costs less than a set per batch. */
  batch: number
}

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]')
const BEFORE_ID = '{"token_id":"'
const AFTER_ID = '"}'
/** Bytes of an id that it is looked up by; nearly always unique. */
const KEY = 16

/** Books of many tokens as one JSON text, joined from ready parts: a book is serialised when it changed, not when it is asked for. */
export class BookBatches {
  readonly #books: Books
  readonly #find: (id: string) => Token | null
  readonly #empty: (id: string) => string
  /** By KEY bytes of the id, which two tokens may share; and by id. */
  readonly #shown = new Map<number, Shown>()
  readonly #all = new Map<string, Shown>()
  readonly #pool = new BufferPool()
  #batch = 0

  /** `find` returns the token of a registered market; `empty` is the JSON for an unknown id. */
  constructor(books: Books, find: (id: string) => Token | null, empty: (id: string) => string) {
    this.#books = books
    this.#find = find
    this.#empty = empty
  }

  /** The displayed books of a batch, each once, in the order of their first mention. */
  text(batch: TokenBatch): string {
    const books = [...new Set(batch.map(({ token_id }) => token_id))].map((id) => {
      const token = this.#find(id)
      return token ? this.#books.text(token, 'displayed') : this.#empty(id)
    })
    return `[${books.join(',')}]`
  }

  /**
   * The same for an unparsed body that is compact JSON and names known tokens only; null for any other. Its bytes are compared with those
   * that ask for each token, which costs a fraction of parsing JSON. Give the result back to `release` once it was sent.
   */
  bytes(body: Uint8Array): Buffer<ArrayBuffer> | null {
    const books = this.#read(new DataView(body.buffer, body.byteOffset, body.byteLength))
    if (!books) return null
    let length = 1
    for (const { bytes } of books) length += bytes.length
    const joined = this.#pool.take(length)
    let at = 0
    for (const { bytes } of books) {
      joined.set(bytes, at)
      at += bytes.length
    }
    joined[0] = OPEN!
    joined[at] = CLOSE!
    return joined
  }

  /** Says that bytes were sent, so that their memory can be reused. Optional: forgetting it costs only speed. */
  release(bytes: Buffer<ArrayBuffer>): void {
    this.#pool.release(bytes)
  }

  /** The books that a body asks for, each once; null when it has another form. */
  #read(body: DataView): Shown[] | null {
    const last = body.byteLength - 1
    if (last < 1 || body.getUint8(0) !== OPEN || body.getUint8(last) !== CLOSE) return null
    const batch = ++this.#batch
    const books: Shown[] = []
    for (let at = 1, mentions = 1; mentions <= TOKEN_BATCH; mentions++) {
      const shown = this.#at(body, at)
      if (!shown) return null
      if (shown.batch !== batch) books.push(shown)
      shown.batch = batch
      at += shown.asked.byteLength
      if (at === last) return books
      if (body.getUint8(at++) !== COMMA) return null
    }
    return null
  }

  /** The token that a body asks for at an offset, with its current book. */
  #at(body: DataView, at: number): Shown | null {
    const known = this.#shown.get(keyOf(body, at + BEFORE_ID.length))
    const shown = known && isAt(body, at, known.asked) ? known : this.#learn(body, at)
    if (shown && shown.seq !== shown.version.seq) {
      shown.bytes = Buffer.from(`,${this.#books.text(shown.token, 'displayed')}`)
      shown.seq = shown.version.seq
    }
    return shown
  }

  /** The same for a token that was not found by its KEY bytes. */
  #learn(body: DataView, at: number): Shown | null {
    const rest = Buffer.from(body.buffer as ArrayBuffer, body.byteOffset + at, body.byteLength - at)
    const id = rest.toString('latin1', BEFORE_ID.length, rest.indexOf(AFTER_ID))
    const shown = this.#all.get(id) ?? this.#new(id)
    if (!shown || !isAt(body, at, shown.asked)) return null
    this.#shown.set(keyOf(shown.asked, BEFORE_ID.length), shown)
    return shown
  }

  #new(id: string): Shown | null {
    const token = this.#find(id)
    if (!token) return null
    const bytes = Buffer.from(`${BEFORE_ID}${id}${AFTER_ID}`)
    const asked = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const shown = { token, asked, version: this.#books.version(token.condition), seq: Number.NaN, bytes, batch: 0 }
    this.#all.set(id, shown)
    return shown
  }
}

/** Look-up key of the id that begins at an offset; 0 when it is too close to the end. */
function keyOf(bytes: DataView, at: number): number {
  if (at + KEY > bytes.byteLength) return 0
  let key = 0
  for (let n = at; n < at + KEY; n += 4) key = (Math.imul(key, 31) + bytes.getInt32(n, true)) | 0
  return key
}

/** Whether the wanted bytes stand at an offset of others. Compares four at a time. */
function isAt(bytes: DataView, at: number, wanted: DataView): boolean {
  const length = wanted.byteLength
  if (at + length > bytes.byteLength) return false
  let n = 0
  for (; n + 4 <= length; n += 4) if (bytes.getInt32(at + n, true) !== wanted.getInt32(n, true)) return false
  for (; n < length; n++) if (bytes.getUint8(at + n) !== wanted.getUint8(n)) return false
  return true
}
