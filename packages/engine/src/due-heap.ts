import { Columns, INITIAL_ROWS } from './columns.ts'

/**
 * What falls due when: a binary heap by time, then by age, from which anything can be taken at once. The owner keeps each
 * item's place in a column of its own, given to every call.
 */
export class DueHeap extends Columns {
  time = new Float64Array(INITIAL_ROWS)
  age = new Float64Array(INITIAL_ROWS)
  item = new Int32Array(INITIAL_ROWS)

  /** Items waiting. */
  get size(): number {
    return this.used - 1
  }

  /** Adds an item. */
  push(time: number, age: number, item: number, places: Int32Array): void {
    if (this.used === this.capacity) this.grow()
    this.#rise(this.used++, time, age, item, places)
  }

  /** Takes an item out, wherever it stands. */
  remove(item: number, places: Int32Array): void {
    const hole = places[item]!
    places[item] = 0
    const last = --this.used
    if (hole === last) return
    const { time, age } = this
    const parent = hole >> 1
    const [t, a, moved] = [time[last]!, age[last]!, this.item[last]!]
    if (parent !== 0 && isBefore(t, a, time[parent]!, age[parent]!)) this.#rise(hole, t, a, moved, places)
    else this.#sink(hole, t, a, moved, places)
  }

  #rise(from: number, t: number, a: number, item: number, places: Int32Array): void {
    const { time, age } = this
    let at = from
    for (let parent = at >> 1; parent !== 0 && isBefore(t, a, time[parent]!, age[parent]!); parent = at >> 1) {
      this.#put(at, time[parent]!, age[parent]!, this.item[parent]!, places)
      at = parent
    }
    this.#put(at, t, a, item, places)
  }

  #sink(from: number, t: number, a: number, item: number, places: Int32Array): void {
    const { time, age, used } = this
    let at = from
    for (let child = at * 2; child < used; child = at * 2) {
      if (child + 1 < used && isBefore(time[child + 1]!, age[child + 1]!, time[child]!, age[child]!)) child++
      if (!isBefore(time[child]!, age[child]!, t, a)) break
      this.#put(at, time[child]!, age[child]!, this.item[child]!, places)
      at = child
    }
    this.#put(at, t, a, item, places)
  }

  #put(at: number, t: number, a: number, item: number, places: Int32Array): void {
    this.time[at] = t
    this.age[at] = a
    this.item[at] = item
    places[item] = at
  }
}

const isBefore = (t: number, a: number, time: number, age: number): boolean => t < time || (t === time && a < age)
