import type { TokenBatch } from '@augury/wire/token-batch'
import type { Books, Token } from './books.ts'

/** A batch as it was answered last. */
interface Ready {
  tokens: readonly Token[]
  /** State of the books that `bytes` shows. */
  changes: number
  bytes: Buffer<ArrayBuffer>
}

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]')

/** Books of many tokens as one JSON text, laid together from what is ready: a book is written out when it changed, not when it is asked for. */
export class BookBatches {
  readonly #books: Books
  readonly #find: (id: string) => Token | null
  readonly #empty: (id: string) => string
  /** A reader that sees the same bytes again hands over the same batch: then nothing is looked up, or while no book changed, copied. */
  readonly #ready = new WeakMap<TokenBatch, Ready>()

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
      ready.bytes = join(ready.tokens.map((token) => this.#books.bytes(token)))
      ready.changes = changes
      return ready.bytes
    }
    const ids = [...new Set(batch.map(({ token_id }) => token_id))]
    const found = ids.map(this.#find)
    const tokens = found.filter((token) => token !== null)
    const bytes = join(found.map((token, index) => (token ? this.#books.bytes(token) : Buffer.from(this.#empty(ids[index]!)))))
    // What nobody knows yet may be known the next time.
    if (tokens.length === ids.length) this.#ready.set(batch, { tokens, changes, bytes })
    return bytes
  }
}

function join(pieces: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  let length = 1 + Math.max(1, pieces.length)
  for (const piece of pieces) length += piece.length
  const joined = Buffer.allocUnsafeSlow(length)
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
