import { Columns, INITIAL_ROWS } from './columns.ts'

/** Stores each item's index in the heap, 0 while it is not in it. */
export interface Places {
  place(item: number): number
  setPlace(item: number, place: number): void
}

/** A binary min-heap of items by time, then by age. The owner of the items stores their places, so any of them is removed in O(log n). */
export class DueHeap extends Columns {
  time = new Float64Array(INITIAL_ROWS)
  age = new Float64Array(INITIAL_ROWS)
  item = new Int32Array(INITIAL_ROWS)

  readonly #owner: Places

  constructor(owner: Places) {
    super()
    this.#owner = owner
  }

  get capacity(): number {
    return this.item.length
  }

  /** Items waiting. */
  get size(): number {
    return this.used - 1
  }

  /** Adds an item. */
  push(time: number, age: number, item: number): void {
    if (this.used === this.capacity) this.grow()
    this.#rise(this.used++, time, age, item)
  }

  /** Removes an item from wherever it is in the heap. */
  remove(item: number): void {
    const hole = this.#owner.place(item)
    this.#owner.setPlace(item, 0)
    const last = --this.used
    if (hole === last) return
    const { time, age } = this
    const parent = hole >> 1
    const [t, a, moved] = [time[last]!, age[last]!, this.item[last]!]
    if (parent !== 0 && isBefore(t, a, time[parent]!, age[parent]!)) this.#rise(hole, t, a, moved)
    else this.#sink(hole, t, a, moved)
  }

  #rise(from: number, t: number, a: number, item: number): void {
    const { time, age } = this
    let at = from
    for (let parent = at >> 1; parent !== 0 && isBefore(t, a, time[parent]!, age[parent]!); parent = at >> 1) {
      this.#put(at, time[parent]!, age[parent]!, this.item[parent]!)
      at = parent
    }
    this.#put(at, t, a, item)
  }

  #sink(from: number, t: number, a: number, item: number): void {
    const { time, age, used } = this
    let at = from
    for (let child = at * 2; child < used; child = at * 2) {
      if (child + 1 < used && isBefore(time[child + 1]!, age[child + 1]!, time[child]!, age[child]!)) child++
      if (!isBefore(time[child]!, age[child]!, t, a)) break
      this.#put(at, time[child]!, age[child]!, this.item[child]!)
      at = child
    }
    this.#put(at, t, a, item)
  }

  #put(at: number, t: number, a: number, item: number): void {
    this.time[at] = t
    this.age[at] = a
    this.item[at] = item
    this.#owner.setPlace(item, at)
  }
}

const isBefore = (t: number, a: number, time: number, age: number): boolean => t < time || (t === time && a < age)
