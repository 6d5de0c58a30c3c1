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
