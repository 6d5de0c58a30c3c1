import { encodeCommand } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { NO_BYTES } from '@augury/engine/words'
import { ONE } from '@augury/units/price'
import { bookOf, STRIDE } from './tape.ts'

/** Commands in one row, about what the sequencer cuts under load. */
const ROW = 500
const ACCOUNTS = 1_000
/** A tape's prices are thousandths. */
const GRID = 10
const condition = (n: number): Hex => hex(`c${n}`, 32)
/** What everybody has together, below what the exchange lets in. */
const RICH = 2_000_000_000_000_000

/** How many conditions a tape is dealt out to, and how many accounts take turns. */
interface Size {
  books?: number
  accounts?: number
}

/** An exchange with open conditions and funded accounts, ready for the tape. */
export function openExchange({ books = 1, accounts = ACCOUNTS }: Size = {}): Exchange {
  const exchange = new Exchange()
  const setUp: Command[] = [
    ...Array.from({ length: books }, (_, n) => registration(condition(n))),
    ...Array.from(
      { length: accounts },
      (_, n): Command => ({ type: 'deposit', account: account(n), amount: Math.floor(RICH / accounts), ref: hex(`d${n}`, 32) }),
    ),
  ]
  exchange.applyRow({ at: 1, commands: Buffer.concat(setUp.map(encodeCommand)) })
  return exchange
}

/** A row that opens so many more conditions. */
export function marketsRow(count: number): { at: number; commands: Uint8Array } {
  return { at: 2, commands: Buffer.concat(Array.from({ length: count }, (_, n) => encodeCommand(registration(hex(`b${n}`, 32))))) }
}

/** The command that opens a condition as the benchmarks use them: fees, and a grid of 0.001. */
export const registration = (condition: Hex): Command => ({
  type: 'register',
  condition,
  creator: hex('ee', 20),
  grid: GRID,
  minLots: 1,
  minNotional: 0,
  feeBps: 400,
  rebateBps: 2_500,
  affiliateBps: 0,
  event: null,
})

/**
 * The tape as rows of commands: bids buy Yes, asks buy No at the complement, so that every match mints a pair; the accounts take turns.
 */
export function engineRows(
  tape: Int32Array,
  perRow = ROW,
  { books = 1, accounts = ACCOUNTS }: Size = {},
): { at: number; commands: Uint8Array }[] {
  const encoded: Uint8Array[] = []
  for (let at = 0; at < tape.length; at += STRIDE) encoded.push(encodeCommand(toCommand(tape.subarray(at, at + STRIDE), books, accounts)))
  const rows: { at: number; commands: Uint8Array }[] = []
  for (let n = 0; n < encoded.length; n += perRow) rows.push({ at: 2 + rows.length, commands: Buffer.concat(encoded.slice(n, n + perRow)) })
  return rows
}

function toCommand(operation: Int32Array, books: number, accounts: number): Command {
  const order = operation[4]!
  return commandOf(operation, { account: account(order % accounts), condition: condition(bookOf(order, books)), order, annex: NO_BYTES })
}

/** An operation of a tape as a command of an account in a condition, on the order of that number. */
export function commandOf(
  [kind, side, price, size]: Int32Array,
  { account, condition, order, annex }: { account: Hex; condition: Hex; order: number; annex: Uint8Array },
): Command {
  const orderId = hex(`f${order}`, 32)
  if (kind === 1) return { type: 'cancel', account, orderId }
  return {
    type: 'place',
    orderId,
    account,
    condition,
    outcome: side === 0 ? 0 : 1,
    side: 'BUY',
    orderType: 'GTC',
    price: side === 0 ? price! * GRID : ONE - price! * GRID,
    lots: size!,
    budget: 0,
    expiration: 0,
    postOnly: false,
    selfTrade: 'none',
    deployment: null,
    annex,
  }
}

/** The account of that number. */
export const account = (n: number): Hex => hex(`a${n}`, 20)

/** Digits as so many bytes. */
export const hex = (digits: string, bytes: number): Hex => `0x${digits.padStart(bytes * 2, '0')}`
