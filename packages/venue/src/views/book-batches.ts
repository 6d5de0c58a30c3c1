import type { TokenBatch } from '@augury/wire/token-batch'
import type { Books, Shown, Token } from './books.ts'
import { Places } from './places.ts'

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
  /** A frozen batch will be asked for again: its tokens need no lookup then, and while no book has changed its bytes are reused. */
  readonly #ready = new WeakMap<TokenBatch, Ready>()
  readonly #places = new Places()
  /** Tells the batches apart: what has the number of this one was mentioned in it. */
  #number = 0

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
      const pieces = ready.tokens.map((token) => this.#books.shown(token).bytes)
      ready.bytes = join(pieces, Buffer.allocUnsafeSlow(lengthOf(pieces)))
      ready.changes = changes
      return ready.bytes
    }
    const { pieces, unknown } = this.#pieces(batch)
    const length = lengthOf(pieces)
    // What nobody knows yet may be known the next time.
    if (!Object.isFrozen(batch) || unknown > 0) return join(pieces, this.#places.take(length))
    const bytes = join(pieces, Buffer.allocUnsafeSlow(length))
    const tokens = [...new Set(batch.map(({ token_id }) => token_id))].map((id) => this.#find(id)!)
    this.#ready.set(batch, { tokens, changes, bytes })
    return bytes
  }

  /** Tells that bytes were sent, so that their memory can be reused. Optional: without it everything is only slower. */
  left(bytes: Buffer<ArrayBuffer>): void {
    this.#places.giveBack(bytes)
  }

  /** Each book once; what was mentioned carries the number of its last batch, which costs less than a set of ids. */
  #pieces(batch: TokenBatch): { pieces: Uint8Array[]; unknown: number } {
    const number = ++this.#number
    const pieces: Uint8Array[] = []
    const unknown = new Set<string>()
    for (const { token_id: id } of batch) {
      const shown = this.#books.shownAs(id) ?? this.#show(id)
      if (shown) {
        if (shown.batch === number) continue
        shown.batch = number
        pieces.push(shown.bytes)
      } else if (!unknown.has(id)) {
        unknown.add(id)
        pieces.push(Buffer.from(this.#empty(id)))
      }
    }
    return { pieces, unknown: unknown.size }
  }

  #show(id: string): Shown | null {
    const token = this.#find(id)
    return token && this.#books.shown(token)
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
