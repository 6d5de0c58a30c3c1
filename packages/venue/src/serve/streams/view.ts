import { REPLAY_BYTES, type Ring, textFrame } from './frames.ts'
import type { Message } from './market-messages.ts'

/** How long a view without readers still makes frames, so that the last one can reconnect without a gap. */
const LINGER_MS = 60_000

/** One way of following a condition or an account: a chain of frames, each with the position of the one before it. */
export class View<Reader> {
  readonly #key: string
  readonly #ring: Ring
  readonly readers = new Set<Reader>()
  /** Log position of the last frame. */
  seq: number
  #leftAt = Number.NEGATIVE_INFINITY

  constructor(key: string, ring: Ring, seq: number) {
    this.#key = key
    this.#ring = ring
    this.seq = seq
  }

  leave(reader: Reader, now: number): void {
    if (this.readers.delete(reader) && !this.readers.size) this.linger(now)
  }

  /** Keeps the view for LINGER_MS from now on. */
  linger(now: number): void {
    this.#leftAt = now
  }

  /** Returns whether there is a reader, or one that may still reconnect. */
  wanted(now: number): boolean {
    return this.readers.size > 0 || now - this.#leftAt < LINGER_MS
  }

  /** Makes the next frame of the chain: one message, or an array of several, all with the same place in the log. */
  append(messages: Message[], seq: number, epoch: number): Buffer {
    const placed = messages.map((message) => ({ ...message, seq, prev_seq: this.seq, epoch }))
    const frame = textFrame(JSON.stringify(placed.length === 1 ? placed[0] : placed))
    this.#ring.push({ channel: this.#key, seq, prevSeq: this.seq, frame })
    this.seq = seq
    return frame
  }

  /** Advances without a frame, because there is no reader. */
  skip(seq: number): void {
    this.seq = seq
  }

  /** The frames after the one at `seq`; none when nothing was missed, null when the gap cannot be filled or is too long. */
  since(seq: number): Buffer[] | null {
    return seq === this.seq ? [] : this.#ring.after(this.#key, seq, this.seq, REPLAY_BYTES)
  }

  /** The same after any log position, whether this chain has a frame there or not, and up to `most` bytes. */
  sincePosition(position: number, most: number): Buffer[] | null {
    return this.#ring.after(this.#key, position, this.seq, most, true)
  }
}
