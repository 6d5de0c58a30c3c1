import { TOKEN_BATCH } from '@augury/wire/limits'
import type { TokenBatch } from '@augury/wire/token-batch'
import type { Books, Token, Version } from './books.ts'
import { Places } from './places.ts'

/** A token by the bytes that ask for it, with a comma and its displayed book as bytes. */
interface Shown {
  readonly token: Token
  readonly asked: DataView
  /** Of the market's book, and the position that `bytes` are as of. */
  readonly version: Readonly<Version>
  seq: number
  bytes: Uint8Array
  /** Number of the last batch that mentioned it: costs less than a set of what was mentioned. */
  batch: number
}

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]')
const BEFORE_ID = '{"token_id":"'
const AFTER_ID = '"}'
/** Bytes of an id by which it is looked up: nearly every token has others. */
const KEY = 16

/** Books of many tokens as one JSON text, laid together from what is ready: a book is written out when it changed, not when it is asked for. */
export class BookBatches {
  readonly #books: Books
  readonly #find: (id: string) => Token | null
  readonly #empty: (id: string) => string
  /** By a part of their bytes, of which another token may have the same; and all of them. */
  readonly #shown = new Map<number, Shown>()
  readonly #all = new Map<string, Shown>()
  readonly #places = new Places()
  #batch = 0

  /** `find` knows the tokens of registered markets; `empty` is the text of what is none. */
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
   * The same for a body as it came, where it is compact and names known tokens and nothing else; null for any other. Its bytes are compared
   * with those that ask for each token: to read them as JSON costs several times as much.
   */
  bytes(body: Uint8Array): Buffer<ArrayBuffer> | null {
    const books = this.#read(new DataView(body.buffer, body.byteOffset, body.byteLength))
    if (!books) return null
    let length = 1
    for (const { bytes } of books) length += bytes.length
    const joined = this.#places.take(length)
    let at = 0
    for (const { bytes } of books) {
      joined.set(bytes, at)
      at += bytes.length
    }
    joined[0] = OPEN!
    joined[at] = CLOSE!
    return joined
  }

  /** Tells that bytes were sent, so that their memory can be reused. Optional: without it everything is only slower. */
  left(bytes: Buffer<ArrayBuffer>): void {
    this.#places.giveBack(bytes)
  }

  /** What a body asks for, each once. */
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

  /** The token that is asked for at a place of a body, its book as it is now. */
  #at(body: DataView, at: number): Shown | null {
    const known = this.#shown.get(keyOf(body, at + BEFORE_ID.length))
    const shown = known && isAt(body, at, known.asked) ? known : this.#learn(body, at)
    if (shown && shown.seq !== shown.version.seq) {
      shown.bytes = Buffer.from(`,${this.#books.text(shown.token, 'displayed')}`)
      shown.seq = shown.version.seq
    }
    return shown
  }

  /** The same where it was not found by its bytes. */
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

/** Of the id that begins at a place; what is too near the end is all the same. */
function keyOf(bytes: DataView, at: number): number {
  if (at + KEY > bytes.byteLength) return 0
  let key = 0
  for (let n = at; n < at + KEY; n += 4) key = (Math.imul(key, 31) + bytes.getInt32(n, true)) | 0
  return key
}

/** Whether bytes are found at a place of others: four at a time, as there are thousands. */
function isAt(bytes: DataView, at: number, wanted: DataView): boolean {
  const length = wanted.byteLength
  if (at + length > bytes.byteLength) return false
  let n = 0
  for (; n + 4 <= length; n += 4) if (bytes.getInt32(at + n, true) !== wanted.getInt32(n, true)) return false
  for (; n < length; n++) if (bytes.getUint8(at + n) !== wanted.getUint8(n)) return false
  return true
}
