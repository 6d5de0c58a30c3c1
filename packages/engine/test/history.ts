import { type Prng, prng } from '@augury/testing/prng'
import { encodeCommand } from '../src/codec.ts'
import type { Command, Hex, Outcome, Place, SelfTrade } from '../src/command.ts'
import type { Exchange } from '../src/exchange.ts'

const key = (kind: number, n: number, bytes: number): Hex => `0x${((kind << 24) | n).toString(16).padStart(bytes * 2, '0')}`

export const ACCOUNTS = Array.from({ length: 8 }, (_, n) => key(1, n, 20))
export const CONDITIONS = Array.from({ length: 5 }, (_, n) => key(2, n, 32))
const CREATOR = key(1, 99, 20)
const EVENT = key(3, 0, 32)
const SELF_TRADES: SelfTrade[] = ['expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none']

/** A random but sensible life of an exchange: the last three conditions are a neg-risk event, and everything happens to everyone. */
export class History {
  readonly #random: Prng
  #at = 1_000_000_000_000
  #ids = 0

  constructor(seed: number) {
    this.#random = prng(seed)
  }

  /** The rows everything begins with. */
  begin(): { at: number; commands: Uint8Array } {
    const grids = [100, 10, 100, 50, 1]
    const registers = CONDITIONS.map((condition, n): Command => {
      const event = n < 2 ? null : { id: EVENT, size: 3 }
      const fees = { feeBps: n * 300, rebateBps: 2000, affiliateBps: 1500 }
      return { type: 'register', condition, creator: CREATOR, grid: grids[n]!, minLots: n, minNotional: n * 10_000, ...fees, event }
    })
    const deposits = ACCOUNTS.map((account): Command => ({ type: 'deposit', account, amount: 2_000_000, ref: this.#id() }))
    return this.#row([...registers, ...deposits])
  }

  /** The next row. */
  next(): { at: number; commands: Uint8Array } {
    this.#at += this.#random.chance(0.02) ? this.#random.integer(60_000, 700_000) : this.#random.integer(0, 3_000)
    return this.#row(Array.from({ length: this.#random.integer(1, 12) }, () => this.#command()))
  }

  #row(commands: Command[]): { at: number; commands: Uint8Array } {
    return { at: this.#at, commands: Buffer.concat(commands.map(encodeCommand)) }
  }

  #id(): Hex {
    return key(4, ++this.#ids, 32)
  }

  /** An id used before, most often a recent one. */
  #known(): Hex {
    return key(4, Math.max(1, this.#ids - this.#random.integer(0, 40)), 32)
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.integer(0, items.length - 1)]!
  }

  #command(): Command {
    const dice = this.#random.integer(0, 99)
    const account = this.#pick(ACCOUNTS)
    const condition = this.#pick(CONDITIONS)
    const lots = this.#random.integer(1, 60)
    if (dice < 55) return this.#place(account, condition)
    if (dice < 66) return { type: 'cancel', account, orderId: this.#known() }
    if (dice < 70) return { type: 'reduce', account, orderId: this.#known(), lots: this.#random.integer(1, 40) }
    if (dice < 75) return this.#replace(account, condition)
    if (dice < 77) return { type: 'split', account, condition, lots, request: this.#id() }
    if (dice < 79) return { type: 'merge', account, condition, lots, request: this.#id() }
    if (dice < 81)
      return {
        type: 'convert',
        account,
        event: EVENT,
        conditions: CONDITIONS.slice(2, this.#random.integer(3, 5)),
        lots,
        request: this.#id(),
      }
    if (dice < 83) return { type: 'deposit', account, amount: this.#random.integer(1, 500_000), ref: this.#id() }
    if (dice < 85) return { type: 'withdraw', account, amount: this.#random.integer(1, 100_000), ref: this.#id() }
    if (dice < 87) return { type: 'end_withdrawal', ref: this.#known(), outcome: this.#pick(['settled', 'returned'] as const) }
    if (dice < 93) return { type: 'sweep', limit: this.#random.integer(0, 10) }
    return this.#rare(account, condition)
  }

  #rare(account: Hex, condition: Hex): Command {
    const dice = this.#random.integer(0, 99)
    if (dice < 20) return { type: 'dead_man', account, deadline: this.#at + this.#random.integer(0, 20_000), reason: 'heartbeat' }
    if (dice < 40)
      return {
        type: 'set_account',
        account,
        referrer: this.#pick(ACCOUNTS),
        tier: null,
        stpGroup: this.#random.integer(0, 2),
        banned: null,
      }
    if (dice < 60)
      return {
        type: 'cancel_all',
        account,
        condition: this.#pick([condition, null]),
        outcome: this.#pick([0, 1, null] as const),
        reason: 'cancel_all',
      }
    if (dice < 70)
      return { type: 'set_condition', condition, mode: this.#pick(['open', 'paused', 'cancel_only'] as const), grid: null, feeBps: null }
    if (dice < 82)
      return { type: 'set_condition', condition, mode: 'open', grid: this.#pick([50, 25, 10, 1]), feeBps: this.#random.integer(0, 900) }
    if (dice < 84) return { type: 'set_condition', condition, mode: 'closed', grid: null, feeBps: null }
    if (dice < 88) return { type: 'resolve', condition, weight: this.#pick([0, 10_000, 2_500]) }
    if (dice < 92) return { type: 'redeem_all', condition, limit: 3 }
    if (dice < 96) return { type: 'redeem', account, condition, request: this.#id() }
    return { type: 'set_mode', mode: this.#pick(['normal', 'normal', 'post_only', 'paused'] as const) }
  }

  #place(account: Hex, condition: Hex): Place {
    const orderType = this.#pick(['GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'] as const)
    const rests = orderType === 'GTC' || orderType === 'GTD'
    const side = this.#pick(['BUY', 'BUY', 'SELL'] as const)
    const byBudget = !rests && side === 'BUY' && this.#random.chance(0.5)
    return {
      type: 'place',
      orderId: this.#random.chance(0.03) ? this.#known() : this.#id(),
      account,
      condition,
      outcome: this.#pick([0, 1] as const),
      side,
      orderType,
      price: this.#random.integer(46, 54) * 100,
      lots: byBudget ? 0 : this.#random.integer(1, 50),
      budget: byBudget ? this.#random.integer(1, 200_000) : 0,
      expiration: orderType === 'GTD' ? Math.floor(this.#at / 1000) + this.#random.integer(1, 90) : 0,
      postOnly: rests && this.#random.chance(0.1),
      selfTrade: this.#pick(SELF_TRADES),
      deployment: this.#random.chance(0.2) ? this.#pick(ACCOUNTS) : null,
      annex: new Uint8Array(this.#random.integer(0, 3) * this.#random.integer(0, 50)).fill(7),
    }
  }

  #replace(account: Hex, condition: Hex): Command {
    const onlyIf = this.#pick(['any', 'any', 'unfilled', 'partially_filled'] as const)
    return {
      type: 'replace',
      cancel: this.#known(),
      requireCancel: this.#random.chance(0.7),
      onlyIf,
      place: this.#place(account, condition),
    }
  }
}

/** What has to be true of an exchange at any time; the first thing that is not, or null. Adds up everything it can see. */
export function wrong(exchange: Exchange): string | null {
  const { state } = exchange
  const everyone = [...ACCOUNTS, CREATOR]
  let money = state.events.cash[1]!
  for (const account of everyone) {
    const { free, held, withdrawing } = exchange.balance(account)
    money += free + held + withdrawing
    const amiss = wrongHold(exchange, account, held)
    if (amiss) return amiss
  }
  for (const condition of CONDITIONS) {
    const view = exchange.condition(condition)!
    money += view.locked
    const totals = [0, 1].map((outcome) =>
      everyone.reduce((sum, account) => sum + total(exchange.shares(account, condition, outcome as Outcome)), 0),
    )
    if (totals[0] !== view.supply.yes || totals[1] !== view.supply.no) return `${condition} has ${totals} of ${JSON.stringify(view.supply)}`
    const yes = exchange.depth(condition, 0, 10_000)
    const no = exchange.depth(condition, 1, 10_000)
    const mirror = (levels: [number, number][]) => levels.map(([price, lots]) => `${10_000 - price}x${lots}`).join()
    const plain = (levels: [number, number][]) => levels.map(([price, lots]) => `${price}x${lots}`).join()
    if (mirror(yes.bids) !== plain(no.asks) || mirror(yes.asks) !== plain(no.bids)) return `${condition} is no mirror`
    if (yes.bids.length > 0 && yes.asks.length > 0 && yes.bids[0]![0] >= yes.asks[0]![0]) return `${condition} is crossed`
  }
  return money === state.supply ? null : `${money} of ${state.supply} millionths`
}

/** What an account's open orders hold has to be exactly what they can still cost or deliver. */
function wrongHold(exchange: Exchange, account: Hex, held: number): string | null {
  const open = [...exchange.openOrders(account)]
  for (const order of open) if (order.matched + order.remaining !== order.lots) return `${order.orderId} does not add up`
  const pledged = open.reduce((sum, order) => sum + (order.side === 'BUY' ? order.price * order.remaining : 0), 0)
  if (pledged !== held) return `${account} holds ${held} for orders of ${pledged}`
  for (const condition of CONDITIONS) {
    for (const outcome of [0, 1] as const) {
      const sales = open.filter((order) => order.side === 'SELL' && order.condition === condition && order.outcome === outcome)
      const offered = sales.reduce((sum, { remaining }) => sum + remaining, 0)
      const shares = exchange.shares(account, condition, outcome).held
      if (shares !== offered) return `${account} holds ${shares} of ${condition} ${outcome} for orders of ${offered}`
    }
  }
  return null
}

const total = ({ free, held }: { free: number; held: number }): number => free + held
