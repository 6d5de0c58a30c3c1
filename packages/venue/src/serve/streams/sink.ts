import type { FrameBatch } from './frames.ts'

/** Where a stream writes for one reader: a socket, or one subscription of several in a socket. */
export interface Sink {
  /** Whether the reader lags behind, so that deltas would only pile up. */
  readonly slow: boolean
  write(frame: Buffer): void
  /** Writes several frames at once. */
  writeAll(batch: FrameBatch): void
  /** Writes a message that is for this reader alone. */
  sendJson(message: unknown): void
  /** What is written until `flush` belongs together. */
  cork(): void
  flush(): void
  /** Closes when the reader will not catch up. */
  check(): void
  close(code: number, reason: string): void
}
