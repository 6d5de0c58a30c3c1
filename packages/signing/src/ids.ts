import { concatHex, type Hex, keccak256, numberToHex, stringToHex } from 'viem'

/** Ids of questions, conditions, tokens and neg-risk events (ledger settlement). Derived by the exchange, never sent. */

/** `augury:` creator `:` market slug, hashed. Hashing the creator keeps two deployments with the same slug apart. */
export const questionId = (creator: Hex, marketSlug: string): Hex => keccak256(stringToHex(`augury:${creator.toLowerCase()}:${marketSlug}`))

/** keccak256(oracle ‖ question ‖ uint256 2); the oracle is the creator. */
export const conditionId = (creator: Hex, question: Hex): Hex =>
  keccak256(concatHex([creator.toLowerCase() as Hex, question, numberToHex(2, { size: 32 })]))

/** keccak256(condition ‖ uint8 outcome) as decimal text. */
export const tokenId = (condition: Hex, outcome: 0 | 1): string =>
  BigInt(keccak256(concatHex([condition, numberToHex(outcome, { size: 1 })]))).toString()

/** `augury-neg:` creator `:` event slug, hashed, with a last byte of zero. */
export const negRiskMarketId = (creator: Hex, eventSlug: string): Hex =>
  `${keccak256(stringToHex(`augury-neg:${creator.toLowerCase()}:${eventSlug}`)).slice(0, 64)}00` as Hex

/** keccak256(stream ‖ seq ‖ n): stands where a chain would put the hash of a settlement. seq and n are 8 bytes each. */
export function transactionHash(stream: string, seq: number, n: number): Hex {
  const name = new TextEncoder().encode(stream)
  const bytes = new Uint8Array(name.length + 16)
  bytes.set(name)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(name.length, BigInt(seq))
  view.setBigUint64(name.length + 8, BigInt(n))
  return keccak256(bytes)
}
