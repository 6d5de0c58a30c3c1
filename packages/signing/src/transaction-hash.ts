import { keccak } from './keccak.ts'

/** keccak256(stream ‖ seq ‖ n): stands where a chain would put the hash of a settlement. seq and n are 8 bytes each. */
export function transactionHash(stream: string, seq: number, n: number): `0x${string}` {
  const name = Buffer.byteLength(stream)
  const bytes = Buffer.alloc(name + 16)
  bytes.write(stream)
  bytes.writeBigUInt64BE(BigInt(seq), name)
  bytes.writeBigUInt64BE(BigInt(n), name + 8)
  return `0x${Buffer.from(keccak(bytes)).toString('hex')}`
}
