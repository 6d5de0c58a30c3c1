import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE, MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import type { PlainOrder } from '@augury/wire/order-body'
import { type BookView, EMPTY_BOOK, mirrored } from '#lib/book/book-view.ts'
import type { MarketView } from '#lib/event/event-view.ts'
import { siteNow } from '#lib/language/site-clock.ts'
import { readTyped, readTypedPrice, writeMoney, writePrice, writeShares } from '#lib/language/typed-number.ts'
import { guarded, largestBudget, moved, type Preview, previewOrder, type Wish } from './order-preview.ts'

export type Side = 'BUY' | 'SELL'
export type Kind = 'market' | 'limit'
/** What the quantity counts. */
export type Entry = 'money' | 'shares'

/** What of a market an order has to know. */
export interface MarketTerms {
  feeBps: number
  /** Smallest order in lots. */
  minLots: number
}

/** Why an order cannot be sent as it is. */
export type Obstacle = 'no_quantity' | 'no_price' | 'off_grid' | 'too_small' | 'too_much' | 'too_many' | 'nobody' | 'bad_end'

/** What is kept of a ticket between pages. */
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

/** Above these, an order warns, and asks to be confirmed. */
const WARN_SLIPPAGE = 0.02
const CONFIRM_SLIPPAGE = 0.05
const CONFIRM_SHARE = 0.25
/** A GTD order ends a minute from now at least, as the exchange has it. */
const SHORTEST_MS = 60_000

/** An order while it is written: what was typed, what the book would make of it, what stands in its way. */
export class Ticket {
  market = $state.raw<MarketView | null>(null)
  outcome = $state<0 | 1>(0)
  /** The Yes book of the market; null while nobody knows it. */
  book = $state.raw<BookView | null>(null)
  /** Null while nobody knows them. */
  terms = $state.raw<MarketTerms | null>(null)
  /** Cash that can be spent, in millionths, and shares of the outcome that can be sold, in lots; null while nobody knows. */
  cash = $state<number | null>(null)
  owned = $state<number | null>(null)

  side = $state<Side>('BUY')
  kind = $state<Kind>('market')
  entry = $state<Entry>('money')
  quantity = $state('')
  limit = $state('')
  type = $state<PlainOrder['orderType']>('FAK')
  /** When a GTD order ends, as a date field of the reader's own zone writes it. */
  ends = $state('')
  postOnly = $state(false)

  feeBps = $derived(this.terms?.feeBps ?? 0)
  /** The book of the token that is traded. */
  view = $derived(this.book === null ? EMPTY_BOOK : this.outcome === 1 ? mirrored(this.book) : this.book)
  grid = $derived(this.view.grid)
  price = $derived(this.kind === 'limit' ? readTypedPrice(this.limit) : null)
  /** Lots, where the quantity says so or the price makes it so. */
  lots = $derived.by(() => {
    if (this.entry === 'shares' || this.side === 'SELL') return readTyped(this.quantity, 2)
    if (this.kind === 'market') return null
    const micros = readTyped(this.quantity, 6)
    return micros === null || this.price === null ? null : Math.floor(micros / this.price)
  })
  budget = $derived(this.kind === 'market' && this.side === 'BUY' && this.entry === 'money' ? readTyped(this.quantity, 6) : null)

  /** What would be traded at once. A limit order that may not trade at once trades nothing. */
  preview = $derived.by((): Preview => {
    const { side, lots, budget } = this
    const anything = side === 'BUY' ? ONE - 1 : 1
    const limit = this.kind === 'limit' ? (this.price ?? (side === 'BUY' ? 0 : ONE)) : anything
    const wish: Wish = { side, limit, lots: budget === null ? (lots ?? 0) : null, budget }
    return previewOrder(this.postOnly ? EMPTY_BOOK : this.view, wish, this.feeBps)
  })
  /** Worst price that a market order accepts, with room for a book that moves; null where there is nobody. */
  guard = $derived(this.preview.worst === null ? null : guarded(this.side, this.preview.worst, this.grid))
  /** Whether what is not traded at once waits in the book. */
  rests = $derived(this.kind === 'limit' && (this.type === 'GTC' || this.type === 'GTD'))
  /** Lots that would wait in the book. */
  resting = $derived(this.rests && this.lots !== null ? this.lots - this.preview.lots : 0)
  /** Millionths that the order takes out of what is available: what is traded, its fee, and what is held for the rest. */
  takes = $derived(this.side === 'BUY' ? this.preview.cost + this.preview.fee + this.resting * (this.price ?? 0) : 0)
  /** What has to be available: also the part of a market order's money for which nobody sells now. */
  asks = $derived(Math.max(this.takes, this.budget ?? 0))
  /** What the shares pay if the outcome comes true, in millionths. */
  win = $derived((this.preview.lots + this.resting) * MICROS_PER_LOT)

  obstacle = $derived.by((): Obstacle | null => {
    const { side, kind, lots, budget, preview, terms } = this
    if (kind === 'limit' && this.price === null) return 'no_price'
    if (kind === 'limit' && this.price! % this.grid !== 0) return 'off_grid'
    if ((budget ?? lots ?? 0) <= 0) return 'no_quantity'
    if (side === 'SELL' && this.owned !== null && lots! > this.owned) return 'too_many'
    if (!this.rests && preview.lots === 0) return 'nobody'
    if (terms && (lots ?? preview.lots) < terms.minLots) return 'too_small'
    if (side === 'BUY' && this.cash !== null && this.asks > this.cash) return 'too_much'
    if (this.type === 'GTD' && kind === 'limit' && !(Date.parse(this.ends) > siteNow() + SHORTEST_MS)) return 'bad_end'
    return null
  })
  warns = $derived(this.preview.slippage > WARN_SLIPPAGE)
  /** Why the order should be looked at twice. */
  risk = $derived.by((): 'slippage' | 'large' | null => {
    if (this.preview.slippage > CONFIRM_SLIPPAGE) return 'slippage'
    return this.cash !== null && this.cash > 0 && this.takes > this.cash * CONFIRM_SHARE ? 'large' : null
  })

  /** Points the ticket at a market and an outcome of it. */
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
  /** A price from the ladder; with `lots`, so many as well. */
  take(price: number, lots?: number): void {
    if (this.kind !== 'limit') this.chooseKind('limit')
    this.limit = writePrice(price)
    if (lots === undefined) return
    this.entry = 'shares'
    this.quantity = writeShares(lots)
  }
  /** Moves the limit by steps of the grid. */
  nudge(by: number): void {
    this.limit = writePrice(moved(this.price ?? this.view.last ?? ONE / 2, this.grid, by))
  }
  /** So many dollars. */
  spend(amount: number): void {
    this.entry = 'money'
    this.quantity = String(amount)
  }
  /** The quantity that takes a part (0..1) of what there is; as much as the fee allows for all of it. */
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

  /** The order as it is sent. Call it without obstacles only. */
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

  /** What was written, for another visit of the page. */
  capture(): TicketDraft {
    const { side, kind, entry, quantity, limit, type, ends, postOnly } = this
    return { side, kind, entry, quantity, limit, type, ends, postOnly }
  }
  restore(draft: TicketDraft): void {
    Object.assign(this, draft)
  }
}
