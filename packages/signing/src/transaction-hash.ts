import { keccak } from './keccak.ts'

/** keccak256(stream ‖ seq ‖ n), in place of the transaction hash of an on-chain settlement. seq and n have 8 bytes each. */
export function transactionHash(stream: string, seq: number, n: number): `0x${string}` {
  const name = Buffer.byteLength(stream)
  const bytes = Buffer.allocUnsafe(name + 16)
  bytes.write(stream)
  writeUInt64(bytes, seq, name)
  writeUInt64(bytes, n, name + 8)
  return `0x${Buffer.from(keccak(bytes)).toString('hex')}`
}

/** Writes a safe integer as 8 bytes, big-endian. */
function writeUInt64(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at)
  bytes.writeUInt32BE(value >>> 0, at + 4)
}
