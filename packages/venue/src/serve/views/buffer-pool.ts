/** Bytes of a pooled buffer; anything longer is allocated for itself. */
const BUFFER_BYTES = 128 * 1024
/** Free buffers kept: as many as answers of one turn of the event loop, which are written together. */
const KEPT = 64

/**
 * Reusable memory for answers: allocating and freeing buffers of this size costs more than filling them. Bytes that are never released are
 * garbage-collected.
 */
export class BufferPool {
  readonly #free: Buffer<ArrayBuffer>[] = []
  readonly #lent = new WeakMap<Buffer<ArrayBuffer>, Buffer<ArrayBuffer>>()

  /** A buffer of exactly `length` bytes, not cleared: the caller overwrites all of them. */
  take(length: number): Buffer<ArrayBuffer> {
    if (length > BUFFER_BYTES) return Buffer.allocUnsafeSlow(length)
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)
    const bytes = buffer.subarray(0, length)
    this.#lent.set(bytes, buffer)
    return bytes
  }

  /** Takes back a buffer without readers. Releasing twice, or releasing foreign bytes, does nothing. */
  release(bytes: Buffer<ArrayBuffer>): void {
    const buffer = this.#lent.get(bytes)
    if (!buffer) return
    this.#lent.delete(bytes)
    if (this.#free.length < KEPT) this.#free.push(buffer)
  }
}
