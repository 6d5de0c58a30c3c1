import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE, MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { PlainOrder } from '@augury/wire/order-body'
import { type BookView, EMPTY_BOOK, mirrored } from '#lib/book/book-view.ts'
import type { MarketView } from '#lib/event/event-view.ts'
import { siteNow } from '#lib/language/site-clock.ts'
import {
  amountProblem,
  isNoPrice,
  plainNumber,
  readTyped,
  readTypedPrice,
  writeMoney,
  writePrice,
  writeShares,
} from '#lib/language/typed-number.ts'
import { guarded, largestBudget, moved, type OrderIntent, type Preview, previewOrder } from './order-preview.ts'

export type Side = 'BUY' | 'SELL'
export type Kind = 'market' | 'limit'
/** Unit of the quantity. */
export type Entry = 'money' | 'shares'

/** Trading terms of a market. */
export interface MarketTerms {
  feeBps: number
  /** Minimum order size in lots. */
  minLots: number
}

/** Why an order cannot be sent as it is. */
export type Obstacle =
  | 'no_quantity'
  | 'bad_quantity'
  | 'no_price'
  | 'bad_price'
  | 'off_grid'
  | 'too_small'
  | 'too_much'
  | 'too_many'
  | 'nobody'
  | 'bad_end'

/** The part of a ticket that is kept between pages. */
export interface TicketDraft {
  side: Side
  kind: Kind
  entry: Entry
  quantity: string
  limit: string
  type: PlainOrder['orderType']
  ends: string
  postOnly: boolean
}

/** Limits above which an order shows a warning and needs confirmation. */
const WARN_SLIPPAGE = 0.02
const CONFIRM_SLIPPAGE = 0.05
const CONFIRM_SHARE = 0.25
/** Minimum lifetime of a GTD order at the exchange. */
const SHORTEST_MS = 60_000

/** An order being written: its inputs, a preview against the book, and what prevents sending it. */
export class Ticket {
  market = $state.raw<MarketView | null>(null)
  outcome = $state<0 | 1>(0)
  /** The Yes book of the market; null while unknown. */
  book = $state.raw<BookView | null>(null)
  /** Null while unknown. */
  terms = $state.raw<MarketTerms | null>(null)
  /** Available cash in millionths, and sellable lots of the outcome; null while unknown. */
  cash = $state<number | null>(null)
  owned = $state<number | null>(null)

  side = $state<Side>('BUY')
  kind = $state<Kind>('market')
  entry = $state<Entry>('money')
  quantity = $state('')
  limit = $state('')
  type = $state<PlainOrder['orderType']>('FAK')
  /** End of a GTD order, in the format of a date field, in the reader's time zone. */
  ends = $state('')
  postOnly = $state(false)

  feeBps = $derived(this.terms?.feeBps ?? 0)
  /** The book of the traded token. */
  view = $derived(this.book === null ? EMPTY_BOOK : this.outcome === 1 ? mirrored(this.book) : this.book)
  grid = $derived(this.view.grid)
  price = $derived(this.kind === 'limit' ? readTypedPrice(this.limit) : null)
  /** Lots, given directly or computed from money and price. */
  lots = $derived.by(() => {
    if (this.entry === 'shares' || this.side === 'SELL') return readTyped(this.quantity, 2)
    if (this.kind === 'market') return null
    const micros = readTyped(this.quantity, 6)
    return micros === null || this.price === null ? null : Math.floor(micros / this.price)
  })
  budget = $derived(this.kind === 'market' && this.side === 'BUY' && this.entry === 'money' ? readTyped(this.quantity, 6) : null)

  /** Why the quantity cannot be read; may be empty. */
  unread = $derived(amountProblem(this.quantity, this.entry === 'money' ? 6 : 2))

  /** Immediate fills. A post-only order has none. */
  preview = $derived.by((): Preview => {
    const { side, lots, budget } = this
    const anything = side === 'BUY' ? ONE - 1 : 1
    const limit = this.kind === 'limit' ? (this.price ?? (side === 'BUY' ? 0 : ONE)) : anything
    const intent: OrderIntent = { side, limit, lots: budget === null ? (lots ?? 0) : null, budget }
    return previewOrder(this.postOnly ? EMPTY_BOOK : this.view, intent, this.feeBps)
  })
  /** Worst price of a market order, with a margin for a moving book; null if there is nothing to trade with. */
  guard = $derived(this.preview.worst === null ? null : guarded(this.side, this.preview.worst, this.grid))
  /** Whether the unfilled rest stays in the book. */
  rests = $derived(this.kind === 'limit' && (this.type === 'GTC' || this.type === 'GTD'))
  /** Lots that would rest in the book. */
  resting = $derived(this.rests && this.price !== null && this.lots !== null ? this.lots - this.preview.lots : 0)
  /** Millionths taken from the available balance: cost of fills, their fee, and the hold for the rest. */
  takes = $derived(this.side === 'BUY' ? this.preview.cost + this.preview.fee + this.resting * (this.price ?? 0) : 0)
  /** Millionths that a sale brings once all of it is sold, what waits at its limit. */
  receives = $derived(this.side === 'SELL' ? this.preview.cost - this.preview.fee + this.resting * (this.price ?? 0) : 0)
  /** Millionths that must be available, including the unfilled part of a market order's budget. */
  asks = $derived(Math.max(this.takes, this.budget ?? 0))
  /** Payout of the shares if the outcome wins, in millionths. */
  win = $derived((this.preview.lots + this.resting) * MICROS_PER_LOT)

  obstacle = $derived.by((): Obstacle | null => {
    const { side, kind, lots, budget, preview, terms } = this
    if (kind === 'limit' && this.price === null) return isNoPrice(this.limit) ? 'bad_price' : 'no_price'
    if (kind === 'limit' && this.price! % this.grid !== 0) return 'off_grid'
    if (this.unread !== '') return 'bad_quantity'
    // Money that pays for less than the smallest part of a share is something, too.
    if ((budget ?? lots ?? 0) <= 0) return terms && /[1-9]/.test(plainNumber(this.quantity)) ? 'too_small' : 'no_quantity'
    if (side === 'SELL' && this.owned !== null && lots! > this.owned) return 'too_many'
    // A budget that buys nothing where somebody sells is too small for it.
    if (budget !== null && preview.lots === 0 && terms && this.view.asks.length > 0) return 'too_small'
    if (!this.rests && preview.lots === 0) return 'nobody'
    if (terms && (lots ?? preview.lots) < terms.minLots) return 'too_small'
    if (side === 'BUY' && this.cash !== null && this.asks > this.cash) return 'too_much'
    if (this.type === 'GTD' && kind === 'limit' && !(Date.parse(this.ends) > siteNow() + SHORTEST_MS)) return 'bad_end'
    return null
  })
  warns = $derived(this.preview.slippage > WARN_SLIPPAGE)
  /** Reason why the order needs confirmation. */
  risk = $derived.by((): 'slippage' | 'large' | null => {
    if (this.preview.slippage > CONFIRM_SLIPPAGE) return 'slippage'
    return this.cash !== null && this.cash > 0 && this.takes > this.cash * CONFIRM_SHARE ? 'large' : null
  })

  /** Selects a market and an outcome. */
  aim(market: MarketView, outcome: 0 | 1): void {
    if (market.conditionId !== this.market?.conditionId) {
      this.book = null
      this.limit = ''
    }
    this.market = market
    this.outcome = outcome
  }

  chooseSide(side: Side): void {
    this.side = side
    this.entry = side === 'BUY' && this.kind === 'market' ? 'money' : 'shares'
    this.quantity = ''
  }
  chooseKind(kind: Kind): void {
    this.kind = kind
    this.type = kind === 'market' ? 'FAK' : 'GTC'
    this.postOnly = false
    this.entry = kind === 'market' && this.side === 'BUY' ? 'money' : 'shares'
    this.quantity = ''
    if (kind === 'limit' && this.price === null) {
      const best = (this.side === 'BUY' ? this.view.bids : this.view.asks)[0]?.price ?? this.view.last
      if (best !== null && best !== undefined) this.limit = writePrice(best)
    }
  }
  /** Takes a price from the ladder, optionally with a size. */
  take(price: number, lots?: number): void {
    if (this.kind !== 'limit') this.chooseKind('limit')
    this.limit = writePrice(price)
    if (lots === undefined) return
    this.entry = 'shares'
    this.quantity = writeShares(lots)
  }
  /** Moves the limit price by a number of ticks. */
  nudge(by: number): void {
    this.limit = writePrice(moved(this.price ?? this.view.last ?? ONE / 2, this.grid, by))
  }
  /** Sets the quantity in dollars. */
  spend(amount: number): void {
    this.entry = 'money'
    this.quantity = String(amount)
  }
  /** Sets the quantity to a part (0..1) of the available amount, leaving room for the fee. */
  fill(part: number): void {
    if (this.side === 'SELL') this.quantity = writeShares(Math.floor((this.owned ?? 0) * part))
    else if (this.kind === 'market') {
      this.entry = 'money'
      this.quantity = writeMoney(Math.floor(largestBudget(this.view, this.cash ?? 0, ONE - 1, this.feeBps) * part))
    } else if (this.price !== null) {
      this.entry = 'shares'
      const perShare = this.price + Math.ceil((this.feeBps * this.price * (ONE - this.price)) / 1e8)
      const lots = Math.floor(((this.cash ?? 0) * part) / perShare)
      this.quantity = writeShares(Math.floor(lots / LOTS_PER_SHARE) * LOTS_PER_SHARE || lots)
    }
  }

  /** The request body of the order. Only valid without obstacles. */
  body(clientOrderId: string): PlainOrder {
    const { market, outcome, side, kind, lots, budget, type } = this
    const tokenId = market!.tokens[outcome]
    if (kind === 'market') {
      const price = formatPrice(this.guard!)
      if (budget !== null) return { tokenId, side, orderType: type, amount: formatUsdc(budget), price, clientOrderId }
      return { tokenId, side, orderType: type, size: formatLots(lots!), price, clientOrderId }
    }
    const order: PlainOrder = { tokenId, side, orderType: type, price: formatPrice(this.price!), size: formatLots(lots!), clientOrderId }
    if (type === 'GTD') order.expiration = Math.floor(Date.parse(this.ends) / 1000)
    if (this.postOnly) order.postOnly = true
    return order
  }

  /** Captures the inputs for another visit of the page. */
  capture(): TicketDraft {
    const { side, kind, entry, quantity, limit, type, ends, postOnly } = this
    return { side, kind, entry, quantity, limit, type, ends, postOnly }
  }
  restore(draft: TicketDraft): void {
    Object.assign(this, draft)
  }
}
