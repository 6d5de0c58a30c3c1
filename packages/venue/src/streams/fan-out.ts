import type { Hex } from '@augury/engine/command'
import { FrameBatch } from './frames.ts'
import { Pace } from './pace.ts'
import type { Sink } from './sink.ts'
import type { View } from './view.ts'

/** Bytes of one view that are not kept back to be joined by more. */
const GATHERED_BYTES = 64 * 1024

/** Who gets frames: where to write them, and the conditions of which frames were left out while that was full. */
export interface FrameReader {
  socket: Sink
  missed: Set<Hex>
}

/** Frames on their way from views to their readers: what several rows made leaves in one write per socket. */
export class FanOut<Reader extends FrameReader> {
  #gathered = new Map<View<Reader>, { condition: Hex; batch: FrameBatch }>()
  readonly #pace = new Pace(() => this.#send())

  /** Takes a view's next frame. */
  add(view: View<Reader>, condition: Hex, frame: Buffer): void {
    const gathered = this.#gathered.get(view) ?? { condition, batch: new FrameBatch() }
    this.#gathered.set(view, gathered)
    gathered.batch.add(frame)
    if (gathered.batch.bytes > GATHERED_BYTES) this.settle()
  }

  /** Sends what there is, or a little later when sending takes so long that it would hold up the exchange. */
  request(): void {
    if (this.#gathered.size > 0) this.#pace.request()
  }

  /** Sends what there is now: before a reader is told where a view stands, or it would hear of frames twice. */
  settle(): void {
    if (this.#gathered.size > 0) this.#pace.run()
  }

  #send(): void {
    const gathered = this.#gathered
    this.#gathered = new Map()
    const corked = new Set<Sink>()
    for (const [view, { condition, batch }] of gathered) {
      for (const { socket, missed } of view.readers) {
        if (socket.slow || missed.has(condition)) missed.add(condition)
        else {
          if (gathered.size > 1 && !corked.has(socket)) {
            corked.add(socket)
            socket.cork()
          }
          socket.writeAll(batch)
        }
      }
    }
    for (const socket of corked) socket.flush()
  }
}
