import type { Hex } from '@augury/engine/command'
import { apart } from './contained.ts'
import { FrameBatch } from './frames.ts'
import { Pace } from './pace.ts'
import type { Sink } from './sink.ts'
import type { View } from './view.ts'

/** From so many bytes on, frames of one view are sent without waiting for more. */
const GATHERED_BYTES = 64 * 1024

/** A reader of frames: where to write them, and the conditions whose frames were left out while it was slow. */
export interface FrameReader {
  socket: Sink
  missed: Set<Hex>
}

/** Sends frames from views to their readers; the frames of several rows leave in one write per socket. */
export class FanOut<Reader extends FrameReader> {
  #gathered = new Map<View<Reader>, { condition: Hex; batch: FrameBatch }>()
  #isMuch = false
  readonly #pace = new Pace(() => this.#send())
  readonly #onBug: (error: unknown) => void

  /** `onBug` gets what a reader's socket threw. */
  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug
  }

  /** Takes a view's next frame. What a row has to say leaves together, so nothing is sent before `request`. */
  add(view: View<Reader>, condition: Hex, frame: Buffer): void {
    const gathered = this.#gathered.get(view) ?? { condition, batch: new FrameBatch() }
    this.#gathered.set(view, gathered)
    gathered.batch.add(frame)
    this.#isMuch ||= gathered.batch.bytes > GATHERED_BYTES
  }

  /** The row is complete: sends what there is now, or a little later when sending takes so long that it would hold up the exchange. */
  request(): void {
    if (this.#isMuch) this.settle()
    else if (this.#gathered.size > 0) this.#pace.request()
  }

  /** Sends what there is now. Needed before a reader gets the position of a view, or it would get these frames twice. */
  settle(): void {
    if (this.#gathered.size > 0) this.#pace.run()
  }

  /** A fault at one reader ends that one: neither the others nor the exchange, which waits for this. */
  #send(): void {
    const gathered = this.#gathered
    this.#gathered = new Map()
    this.#isMuch = false
    const corked = new Set<Sink>()
    for (const [view, { condition, batch }] of gathered) {
      for (const { socket, missed } of view.readers) {
        if (socket.slow || missed.has(condition)) missed.add(condition)
        else {
          if (gathered.size > 1 && !corked.has(socket)) {
            corked.add(socket)
            socket.cork()
          }
          apart(this.#onBug, socket, () => socket.writeAll(batch))
        }
      }
    }
    for (const socket of corked) apart(this.#onBug, socket, () => socket.flush())
  }
}
