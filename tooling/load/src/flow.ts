import type { Trader } from '@augury/bench/service/trader'
import { prng } from '@augury/testing/prng'
import type { Crowd } from './crowd.ts'

/** The classes of requests, in the order in which an overloaded exchange should turn them away. */
export const CLASSES = ['order', 'own state', 'cancel'] as const
export type Class = (typeof CLASSES)[number]

/** A request as bytes. */
export interface Ask {
  class: Class
  bytes: Buffer
  /** The rest of its frame, after the id, where it goes over a trading socket. */
  frame: string | null
  /** The order that it places or cancels; empty for reads. */
  orderId: string
  /** Number of the trader. */
  trader: number
}

/** The middle price in steps of 0.001, and how far from it makers quote. */
const MIDDLE = 500
const QUOTE_WIDTH = 40
/** Number of different sizes: two identical orders within a second would be one order. */
const SIZES = 4000
/** Lots. Quotes are larger than takers' orders: most of them rest until they are cancelled. */
const LEAST_SIZE = 500
const LEAST_QUOTE = 5000
/** A price that our markets refuse. */
const OFF_TICK = '0.5555'
const OFF_TICK_SHARE = 0.02
const SELL_SHARE = 0.2
const FOK_SHARE = 0.1
/** Orders to which their trader gives a name, as bots do. */
const NAMED_SHARE = 0.5

/** The requests of a crowd: makers quote around the middle, takers meet them, and the oldest quotes are cancelled. */
export class Flow {
  readonly #crowd: Crowd
  readonly #socketShare: number
  readonly #random = prng(1)
  /** Begins the names of this run: a name is good for one order for ever. */
  readonly #run = Date.now().toString(36)
  #made = 0
  /** Accepted quotes, oldest first: cancels take from the front. */
  #quotes: { orderId: string; trader: number }[] = []
  #oldest = 0

  /** `socketShare`: the part of orders and cancels that goes over trading sockets. */
  constructor(crowd: Crowd, socketShare = 0) {
    this.#crowd = crowd
    this.#socketShare = socketShare
  }

  /** Quotes not cancelled yet. */
  get quotes(): number {
    return this.#quotes.length - this.#oldest
  }

  /** Records that a quote rests. */
  quoted(orderId: string, trader: number): void {
    this.#quotes.push({ orderId, trader })
  }

  /** A maker's order: buys Yes or No below the middle, so that it rests unless the other side comes to it. */
  quote(): Ask {
    const away = this.#random.integer(1, QUOTE_WIDTH)
    return this.#order(0, { side: 'BUY', orderType: 'GTC', price: `0.${MIDDLE - away}` })
  }

  /** A taker's order: takes what is there, sometimes all or nothing, sometimes a sell, sometimes at a price that is refused. */
  take(): Ask {
    const side = this.#random.chance(SELL_SHARE) ? 'SELL' : 'BUY'
    const reach = this.#random.integer(1, QUOTE_WIDTH)
    const price = this.#random.chance(OFF_TICK_SHARE) ? OFF_TICK : `0.${side === 'BUY' ? MIDDLE + reach : MIDDLE - reach}`
    return this.#order(1, { side, orderType: this.#random.chance(FOK_SHARE) ? 'FOK' : 'FAK', price })
  }

  /** A cancel of the oldest quote, or null when there is none. */
  cancel(): Ask | null {
    const quote = this.#quotes[this.#oldest]
    if (!quote) return null
    this.#oldest++
    if (this.#oldest * 2 > this.#quotes.length + 1024) {
      this.#quotes = this.#quotes.slice(this.#oldest)
      this.#oldest = 0
    }
    const body = { orderId: quote.orderId }
    const { bytes } = this.#who(quote.trader).request('DELETE', '/order', body)
    return { class: 'cancel', bytes, frame: this.#frame('cancel', body), ...quote }
  }

  /** A read of what is held for a trader's orders. */
  look(): Ask {
    const trader = this.#made++ % this.#crowd.traders.length
    return { class: 'own state', bytes: this.#who(trader).request('GET', '/holds').bytes, frame: null, orderId: '', trader }
  }

  /** Picks a maker (0) or a taker (1): no account meets its own orders, so that only a cancel ends one. */
  #order(role: 0 | 1, terms: { side: string; orderType: string; price: string }): Ask {
    const { markets, traders } = this.#crowd
    const n = this.#made++
    const trader = (n * 2 + role) % traders.length
    const turn = Math.floor((n * 2) / traders.length)
    const { yes, no } = markets[n % markets.length]!
    const size = ((role === 0 ? LEAST_QUOTE : LEAST_SIZE) + (turn % SIZES)) / 100
    const order = { tokenId: this.#random.chance(0.5) ? yes : no, size: size.toFixed(2), ...terms }
    const clientOrderId = `${this.#run}-${n}`
    const frame = this.#frame('place', { ...order, clientOrderId })
    // Over a socket every order has a name: the id of another is known with its answer alone.
    const name = frame !== null || this.#random.chance(NAMED_SHARE) ? clientOrderId : undefined
    return { class: 'order', ...this.#who(trader).order(order, name), frame, trader }
  }

  #frame(op: string, body: object): string | null {
    return this.#random.chance(this.#socketShare) ? `"op":"${op}","body":${JSON.stringify(body)}}` : null
  }

  #who(trader: number): Trader {
    return this.#crowd.traders[trader]!
  }
}
