/**
 * A running digest of the state: every write folds in what it wrote, so two exchanges agree on it exactly when all their
 * writes, and with them all their contents, were the same.
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
