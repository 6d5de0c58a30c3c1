/** Bytes of one place: what is longer has memory of its own. */
const PLACE = 256 * 1024
/** Places that are kept while nobody needs them. */
const KEPT = 16

/**
 * Memory in which answers are laid out, used again once they have left: to ask for new memory and to give it up costs more than to write
 * there. Bytes that nobody gives back are left to the collector.
 */
export class Places {
  readonly #free: Buffer<ArrayBuffer>[] = []
  readonly #lent = new WeakMap<Buffer<ArrayBuffer>, Buffer<ArrayBuffer>>()

  /** Bytes of a length, not cleared: the caller overwrites all of them. */
  take(length: number): Buffer<ArrayBuffer> {
    if (length > PLACE) return Buffer.allocUnsafeSlow(length)
    const place = this.#free.pop() ?? Buffer.allocUnsafeSlow(PLACE)
    const bytes = place.subarray(0, length)
    this.#lent.set(bytes, place)
    return bytes
  }

  /** Takes back what nobody reads any more; a second time, or what came from elsewhere, changes nothing. */
  giveBack(bytes: Buffer<ArrayBuffer>): void {
    const place = this.#lent.get(bytes)
    if (!place) return
    this.#lent.delete(bytes)
    if (this.#free.length < KEPT) this.#free.push(place)
  }
}
