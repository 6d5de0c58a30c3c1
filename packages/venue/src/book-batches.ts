import type { TokenBatch } from '@augury/wire/token-batch'
import type { Books, Token } from './books.ts'

/** A batch as it was answered last. */
interface Ready {
  tokens: readonly Token[]
  /** State of the books that `bytes` shows. */
  changes: number
  bytes: Buffer<ArrayBuffer>
}

/** Bytes that answers share. */
const PLACE = 1024 * 1024
const [OPEN, COMMA, CLOSE] = Buffer.from('[,]')

/** Books of many tokens as one JSON text, laid together from what is ready: a book is written out when it changed, not when it is asked for. */
export class BookBatches {
  readonly #books: Books
  readonly #find: (id: string) => Token | null
  readonly #empty: (id: string) => string
  /** A batch that is frozen comes again: then nothing is looked up, or while no book changed, copied. */
  readonly #ready = new WeakMap<TokenBatch, Ready>()

  #place: Buffer<ArrayBuffer> = Buffer.alloc(0)
  #used = 0

  /** `find` knows the tokens of registered markets; `empty` is the text of what is none. */
  constructor(books: Books, find: (id: string) => Token | null, empty: (id: string) => string) {
    this.#books = books
    this.#find = find
    this.#empty = empty
  }

  /** The displayed books of a batch, each once, in the order of their first mention. Whoever gets the bytes changes nothing in them. */
  bytes(batch: TokenBatch): Buffer<ArrayBuffer> {
    const { changes } = this.#books
    const ready = this.#ready.get(batch)
    if (ready?.changes === changes) return ready.bytes
    if (ready) {
      const pieces = ready.tokens.map((token) => this.#books.bytes(token))
      ready.bytes = join(pieces, Buffer.allocUnsafeSlow(lengthOf(pieces)))
      ready.changes = changes
      return ready.bytes
    }
    const ids = [...new Set(batch.map(({ token_id }) => token_id))]
    const found = ids.map(this.#find)
    const tokens = found.filter((token) => token !== null)
    const pieces = found.map((token, index) => (token ? this.#books.bytes(token) : Buffer.from(this.#empty(ids[index]!))))
    // What nobody knows yet may be known the next time.
    const isKept = Object.isFrozen(batch) && tokens.length === ids.length
    const length = lengthOf(pieces)
    const bytes = join(pieces, isKept ? Buffer.allocUnsafeSlow(length) : this.#room(length))
    if (isKept) this.#ready.set(batch, { tokens, changes, bytes })
    return bytes
  }

  /** Room for an answer that leaves at once: a part of a larger place, because memory of its own costs more than what is written there. */
  #room(length: number): Buffer<ArrayBuffer> {
    if (length > PLACE / 4) return Buffer.allocUnsafeSlow(length)
    if (this.#place.length - this.#used < length) {
      this.#place = Buffer.allocUnsafeSlow(PLACE)
      this.#used = 0
    }
    this.#used += length
    return this.#place.subarray(this.#used - length, this.#used)
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 1 + Math.max(1, pieces.length)
  for (const piece of pieces) length += piece.length
  return length
}

function join(pieces: readonly Uint8Array[], joined: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  joined[0] = OPEN!
  let at = 1
  for (const piece of pieces) {
    if (at > 1) joined[at++] = COMMA!
    joined.set(piece, at)
    at += piece.length
  }
  joined[at] = CLOSE!
  return joined
}
