/** Finds a small number by an order number, in open addressing with removal by shifting back. It never grows. */
export class IdTable {
  readonly #keys: Int32Array
  readonly #values: Int32Array
  readonly #mask: number

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(most * 2 + 1))
    this.#keys = new Int32Array(size).fill(-1)
    this.#values = new Int32Array(size)
    this.#mask = size - 1
  }

  /** The value of a key, or −1. */
  find(key: number): number {
    for (let at = this.#home(key); ; at = (at + 1) & this.#mask) {
      const found = this.#keys[at]!
      if (found === key) return this.#values[at]!
      if (found < 0) return -1
    }
  }

  /** Gives a new key its value. */
  insert(key: number, value: number): void {
    let at = this.#home(key)
    while (this.#keys[at]! >= 0) at = (at + 1) & this.#mask
    this.#keys[at] = key
    this.#values[at] = value
  }

  /** Forgets a key that is there. */
  remove(key: number): void {
    let hole = this.#home(key)
    while (this.#keys[hole] !== key) hole = (hole + 1) & this.#mask
    for (let at = (hole + 1) & this.#mask; this.#keys[at]! >= 0; at = (at + 1) & this.#mask) {
      const home = this.#home(this.#keys[at]!)
      if (((at - home) & this.#mask) < ((at - hole) & this.#mask)) continue
      this.#keys[hole] = this.#keys[at]!
      this.#values[hole] = this.#values[at]!
      hole = at
    }
    this.#keys[hole] = -1
  }

  #home(key: number): number {
    return (Math.imul(key, 0x9e3779b1) >>> 7) & this.#mask
  }
}
