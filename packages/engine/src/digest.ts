/**
 * A running digest of the writes, not of what they left: each write of money, shares, order sizes and terms folds in its row and its
 * value, in the order in which they happen. Two exchanges that were given the same rows part on it with the first write in which they
 * differ. Ids and what is kept with an order are not in it: they are copied from the rows, which carry checksums of their own, and
 * a snapshot's bytes are compared as they are.
 */
export class Digest {
  lanes = new Int32Array([0x2545f491, 0x6c078965])

  /** Folds in whose value was written and the value, a safe integer. */
  add(row: number, value: number): void {
    const { lanes } = this
    let a = Math.imul(lanes[0]! ^ value, 0x9e3779b1)
    a ^= a >>> 15
    lanes[0] = a
    lanes[1] = Math.imul(lanes[1]! ^ ((value / 0x1_0000_0000) | 0) ^ Math.imul(row, 0xc2b2ae35) ^ ((a << 13) | (a >>> 19)), 0x85ebca6b) ^ a
  }

  /** 16 hex digits. */
  text(): string {
    return [...this.lanes].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}
