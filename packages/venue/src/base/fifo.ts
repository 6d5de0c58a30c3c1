/** A queue. Removing the first item of a long array moves all others, so taken items leave empty places, which are cut off now and then. */
export class Fifo<Item> {
  readonly #all: (Item | undefined)[] = []
  /** The places before it are empty. */
  #head = 0

  get size(): number {
    return this.#all.length - this.#head
  }

  /** The oldest, which stays. */
  get first(): Item | undefined {
    return this.#all[this.#head]
  }

  push(item: Item): void {
    this.#all.push(item)
  }

  /** Removes the oldest. */
  shift(): Item {
    const oldest = this.#all[this.#head]!
    this.#all[this.#head++] = undefined // its memory is not held until the array is cut
    if (this.#head > 64 && this.#head * 2 > this.#all.length) {
      this.#all.splice(0, this.#head)
      this.#head = 0
    }
    return oldest
  }

  /** From the newest to the oldest. */
  *backwards(): Generator<Item> {
    for (let index = this.#all.length - 1; index >= this.#head; index--) yield this.#all[index]!
  }
}
