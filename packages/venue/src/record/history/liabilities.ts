import { hash } from 'node:crypto'
import { RESOLVED } from '@augury/engine/conditions'
import type { Exchange } from '@augury/engine/exchange'
import {
  assetBytes,
  compareBytes,
  holderOf,
  putRecord,
  RECORD_BYTES,
  type Sha256,
  type StateTree,
  stateTree,
} from '@augury/signing/state-tree'
import { voidWeights, WEIGHTS } from '@augury/signing/void-weights'
import { ONE } from '@augury/units/price'
import { Damaged } from '../log/replica.ts'

/** SHA-256 of Node. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer')

const ADDRESS_BYTES = 20
const CONDITION_BYTES = 32
const USDC = assetBytes(null)

/** Returns the salt of an account. It is needed to recognise the account's holder ids in a tree. */
export const saltOf = (secret: Uint8Array, account: Uint8Array): Buffer => hash('sha256', Buffer.concat([secret, account]), 'buffer')

/** Everything the exchange owes, in millionths and lots, and the Merkle tree over it. */
export interface Liabilities {
  tree: StateTree
  /** Accounts that hold USDC. */
  holders: number
  usdc: number
  locked: number
  converted: number
  custody: number
  /** What one Yes of each held condition pays, in ten-thousandths, if no result is reported; null where no token is held. */
  weights: StateTree['assets'][number] | null
}

/** Sums up what an exchange owes; null when no account has anything. Throws Damaged when the sums do not match. */
export function liabilitiesOf(exchange: Exchange, secret: Uint8Array): Liabilities | null {
  const { accounts, conditions, holdings, events, supply: custody } = exchange.state
  const salts: Uint8Array[] = []
  const addressOf = (row: number) => keyBytes(accounts.ids.keys, row * ADDRESS_BYTES, ADDRESS_BYTES)
  const holder = (row: number, asset: Uint8Array) => {
    salts[row] ??= saltOf(secret, addressOf(row))
    return holderOf(nodeSha256, salts[row], addressOf(row), asset)
  }

  const holdersOf = (condition: number, outcome: 0 | 1, asset: Uint8Array) => {
    const held: Held[] = []
    for (let at = conditions.firstHolder[condition]!; at !== 0; at = holdings.after[at]!) {
      const amount = holdings.lots[at * 2 + outcome]! + holdings.held[at * 2 + outcome]!
      if (amount !== 0) held.push({ holder: holder(holdings.account[at]!, asset), amount })
    }
    return held
  }

  const cash: Held[] = []
  for (const row of accounts.rows()) {
    const amount = accounts.cash[row]! + accounts.held[row]! + accounts.withdrawing[row]!
    if (amount !== 0) cash.push({ holder: holder(row, USDC), amount })
  }
  const state = cash.length > 0 ? [{ asset: USDC, leaves: sorted(cash) }] : []
  let locked = 0
  const heldRows: number[] = []
  for (const row of conditions.rows()) {
    locked += conditions.locked[row]!
    for (const outcome of [0, 1] as const) {
      const asset = assetBytes({ condition: conditions.ids.text(row), outcome })
      const held = holdersOf(row, outcome, asset)
      if (total(held) !== conditions.supply[row * 2 + outcome])
        throw new Damaged(
          `holders of ${conditions.ids.text(row)} ${outcome} have ${total(held)} lots, not ${conditions.supply[row * 2 + outcome]}`,
        )
      if (held.length === 0) continue
      state.push({ asset, leaves: sorted(held) })
      if (heldRows.at(-1) !== row) heldRows.push(row)
    }
  }
  let converted = 0
  for (const row of events.rows()) converted += events.cash[row]!
  const usdc = total(cash)
  if (usdc + locked + converted !== custody)
    throw new Damaged(`accounts have ${usdc}, tokens ${locked} and events ${converted} behind them: not the ${custody} that came in`)
  if (state.length === 0) return null
  state.sort((a, b) => compareBytes(a.asset, b.asset))
  const weights = weightsOf(exchange, heldRows)
  return { tree: stateTree(nodeSha256, state), holders: cash.length, usdc, locked, converted, custody, weights }
}

/** A result where there is one, else a half, and within an event equal parts of what its results leave: together all tokens pay what is behind them. */
function weightsOf({ state: { conditions, events } }: Exchange, rows: readonly number[]): Liabilities['weights'] {
  if (rows.length === 0) return null
  const parts = new Map<number, number>()
  const divide = (event: number) => {
    const [open, resolved]: [number[], number[]] = [[], []]
    for (let row = events.firstMember[event]!; row !== 0; row = conditions.nextMember[row]!) {
      if (conditions.mode[row] === RESOLVED) resolved.push(conditions.weight[row]!)
      else open.push(row)
    }
    const shares = voidWeights(events.size[event]!, resolved)
    for (const [index, row] of open.entries()) parts.set(row, shares[index]!)
  }
  const weightOf = (row: number): number => {
    if (conditions.mode[row] === RESOLVED) return conditions.weight[row]!
    if (conditions.event[row] === 0) return ONE / 2
    if (!parts.has(row)) divide(conditions.event[row]!)
    return parts.get(row)!
  }
  const leaves = rows.map((row) => ({
    holder: keyBytes(conditions.ids.keys, row * CONDITION_BYTES, CONDITION_BYTES),
    amount: weightOf(row),
  }))
  return stateTree(nodeSha256, [{ asset: WEIGHTS, leaves: sorted(leaves) }]).assets[0]!
}

interface Held {
  holder: Uint8Array
  amount: number
}

const total = (held: readonly Held[]): number => held.reduce((sum, { amount }) => sum + amount, 0)

function sorted(held: Held[]): Uint8Array {
  held.sort((a, b) => Buffer.compare(a.holder, b.holder))
  const leaves = new Uint8Array(held.length * RECORD_BYTES)
  for (const [index, { holder, amount }] of held.entries()) putRecord(leaves, index, holder, amount)
  return leaves
}

const keyBytes = (words: Uint32Array, at: number, length: number): Uint8Array => new Uint8Array(words.buffer, words.byteOffset + at, length)
