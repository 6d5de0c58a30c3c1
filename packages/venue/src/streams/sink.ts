import type { FrameBatch } from './frames.ts'

/** Where a stream writes what one reader follows: a socket, or a subscription inside of one. */
export interface Sink {
  /** Whether deltas would only add to what is not being read. */
  readonly slow: boolean
  write(frame: Buffer): void
  /** Writes several frames at once. */
  writeAll(batch: FrameBatch): void
  /** Writes a message that is for this reader alone. */
  say(message: unknown): void
  /** What is written until `flush` belongs together. */
  cork(): void
  flush(): void
  /** Closes the socket of a reader that will not catch up. */
  check(): void
  close(code: number, reason: string): void
}
