import { INITIAL_ROWS, LinkedTable } from './columns.ts'
import { KeyIndex } from './key-index.ts'
import type { OrderStore } from './order-store.ts'

/** Open orders an account may have, by tier. */
export const OPEN_ORDERS_BY_TIER = [2_000, 5_000, 10_000, 20_000] as const

/** Owners of money and shares: traders and fee accounts. An account is opened by the first command that credits or names it. */
export class Accounts extends LinkedTable {
  /** 20-byte addresses. */
  ids = new KeyIndex(5)
  /** Millionths of USDC. */
  cash = new Float64Array(INITIAL_ROWS)
  held = new Float64Array(INITIAL_ROWS)
  withdrawing = new Float64Array(INITIAL_ROWS)
  openOrders = new Int32Array(INITIAL_ROWS)
  /** Open orders, oldest first. */
  firstOrder = new Int32Array(INITIAL_ROWS)
  lastOrder = new Int32Array(INITIAL_ROWS)
  firstHolding = new Int32Array(INITIAL_ROWS)
  referrer = new Int32Array(INITIAL_ROWS)
  tier = new Uint8Array(INITIAL_ROWS)
  group = new Float64Array(INITIAL_ROWS)
  banned = new Uint8Array(INITIAL_ROWS)
  /** Dead-man switch: place in the heap of deadlines, and the reason that its cancels get. */
  deadline = new Int32Array(INITIAL_ROWS)
  deadReason = new Uint8Array(INITIAL_ROWS)

  /** Place in the heap of deadlines. */
  place(account: number): number {
    return this.deadline[account]!
  }
  setPlace(account: number, place: number): void {
    this.deadline[account] = place
  }

  /** The account with the address at `words[at]`, made when it is new. */
  open(words: Uint32Array, at: number): number {
    const known = this.ids.find(words, at)
    if (known !== 0) return known
    const account = this.takeRow()
    this.ids.insert(account, words, at)
    return account
  }

  /** Appends to the account's open orders. */
  link(orders: OrderStore, slot: number): void {
    const account = orders.account(slot)
    const last = this.lastOrder[account]!
    orders.setOlder(slot, last)
    orders.setNewer(slot, 0)
    if (last === 0) this.firstOrder[account] = slot
    else orders.setNewer(last, slot)
    this.lastOrder[account] = slot
    this.openOrders[account]!++
  }

  /** Takes out of the account's open orders. */
  unlink(orders: OrderStore, slot: number): void {
    const account = orders.account(slot)
    const older = orders.older(slot)
    const newer = orders.newer(slot)
    if (older === 0) this.firstOrder[account] = newer
    else orders.setNewer(older, newer)
    if (newer === 0) this.lastOrder[account] = older
    else orders.setOlder(newer, older)
    this.openOrders[account]!--
  }
}
