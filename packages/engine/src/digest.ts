/**
 * A running digest of the writes, not of the state: each write of money, shares, order sizes and terms folds in its row and its
 * value, in the order of writing. Two exchanges that applied the same rows differ in it from their first differing write on.
 * Ids and annexes are not in it: they are copied from the rows, which have checksums of their own, and snapshots are compared
 * byte by byte.
 */
export class Digest {
  lanes = new Int32Array([0x2545f491, 0x6c078965])

  /** Folds in the row that was written and the value, a safe integer. */
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
