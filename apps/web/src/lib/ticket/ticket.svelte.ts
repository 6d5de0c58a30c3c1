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
import {
  budgetWithin,
  CHANGE,
  farThrough,
  guarded,
  lotsWithin,
  moved,
  type OrderIntent,
  type Preview,
  previewOrder,
} from './order-preview.ts'

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
  | 'no_counterparty'
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

/** A day from now in the reader's time zone, in the format of a date field. */
function tomorrow(): string {
  const at = new Date(siteNow() + 86_400_000)
  at.setMinutes(at.getMinutes() - at.getTimezoneOffset())
  return at.toISOString().slice(0, 16)
}

/** Whether a page is opened to sell a position, as by "Sell" in the portfolio. */
export const isToSell = ({ searchParams }: { searchParams: Pick<URLSearchParams, 'get'> }): boolean => searchParams.get('side') === 'sell'

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
  /** Whether keys edit the amount, wherever the focus is; and whether the next digit begins a new one. */
  armed = $state(false)
  isFresh = false
  /** Quantity of a sale of all; null after it was corrected. */
  #whole: string | null = null

  feeBps = $derived(this.terms?.feeBps ?? 0)
  /** The book of the traded token. */
  view = $derived(this.book === null ? EMPTY_BOOK : this.outcome === 1 ? mirrored(this.book) : this.book)
  grid = $derived(this.view.grid)
  price = $derived(this.kind === 'limit' ? readTypedPrice(this.limit) : null)
  /** What immediate fills can meet. A post-only order has none. */
  met = $derived(this.postOnly ? EMPTY_BOOK : this.view)
  /** Millionths that a BUY by money may take from the account, its fee inside. */
  spend = $derived(this.side === 'BUY' && this.entry === 'money' ? readTyped(this.quantity, 6) : null)
  /** Lots, given directly or computed from money and price. */
  lots = $derived.by(() => {
    if (this.entry === 'shares' || this.side === 'SELL') return readTyped(this.quantity, 2)
    if (this.spend === null || this.price === null || this.kind === 'market') return null
    return lotsWithin(this.met, this.spend, this.price, this.feeBps)
  })
  /** The budget of a market order: what is typed, less the fee, which the exchange counts apart. */
  budget = $derived(this.kind === 'market' && this.spend !== null ? budgetWithin(this.view, this.spend, ONE - 1, this.feeBps) : null)

  /** Why the quantity cannot be read; may be empty. */
  unread = $derived(amountProblem(this.quantity, this.entry === 'money' ? 6 : 2))

  /** Immediate fills. */
  preview = $derived.by((): Preview => {
    const { side, lots, budget } = this
    const anything = side === 'BUY' ? ONE - 1 : 1
    const limit = this.kind === 'limit' ? (this.price ?? (side === 'BUY' ? 0 : ONE)) : anything
    const intent: OrderIntent = { side, limit, lots: budget === null ? (lots ?? 0) : null, budget }
    return previewOrder(this.met, intent, this.feeBps)
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
  /** Millionths that must be available, including what a market order by money cannot spend now. */
  asks = $derived(Math.max(this.takes, this.spend ?? 0))
  /** Millionths of a market order by money that stay with the member; less than a lot costs counts as none. */
  unspent = $derived(this.budget === null || this.spend! - this.takes < CHANGE ? 0 : this.spend! - this.takes)
  /** Payout of the shares if the outcome wins, in millionths. */
  win = $derived((this.preview.lots + this.resting) * MICROS_PER_LOT)

  obstacle = $derived.by((): Obstacle | null => {
    const { side, kind, lots, budget, preview, terms } = this
    if (kind === 'limit' && this.price === null) return isNoPrice(this.limit) ? 'bad_price' : 'no_price'
    if (kind === 'limit' && this.price! % this.grid !== 0) return 'off_grid'
    if (this.unread !== '') return 'bad_quantity'
    // Money that pays for less than the smallest part of a share is something, too.
    if ((this.spend ?? lots ?? 0) <= 0) return terms && /[1-9]/.test(plainNumber(this.quantity)) ? 'too_small' : 'no_quantity'
    if (side === 'SELL' && this.owned !== null && lots! > this.owned) return 'too_many'
    // A budget that buys nothing although there are offers is too small.
    if (budget !== null && preview.lots === 0 && terms && this.view.asks.length > 0) return 'too_small'
    if (!this.rests && preview.lots === 0) return 'no_counterparty'
    if (terms && (lots ?? preview.lots) < terms.minLots) return 'too_small'
    if (side === 'BUY' && this.cash !== null && this.asks > this.cash) return 'too_much'
    if (this.type === 'GTD' && kind === 'limit' && !(Date.parse(this.ends) > siteNow() + SHORTEST_MS)) return 'bad_end'
    return null
  })
  /** Whether something would trade or wait. */
  trades = $derived((this.lots ?? this.spend ?? 0) > 0 && this.preview.lots + this.resting > 0)
  warns = $derived(this.preview.slippage > WARN_SLIPPAGE)
  /** Steps by which the limit is far through the market; 0 if it is not. */
  through = $derived(this.kind === 'limit' && this.price !== null ? farThrough(this.met, this.side, this.price) : 0)
  /** Reason why the order needs confirmation. */
  risk = $derived.by((): 'through' | 'slippage' | 'large' | null => {
    if (this.through > 0) return 'through'
    if (this.preview.slippage > CONFIRM_SLIPPAGE) return 'slippage'
    return this.cash !== null && this.cash > 0 && this.takes > this.cash * CONFIRM_SHARE ? 'large' : null
  })

  /** Selects a market and an outcome. */
  aim(market: MarketView, outcome: 0 | 1): void {
    const isOther = market.conditionId !== this.market?.conditionId
    const isChanged = isOther || outcome !== this.outcome
    this.market = market
    this.outcome = outcome
    if (isOther) this.book = null
    if (isChanged) this.#seed()
  }

  chooseSide(side: Side): void {
    const isChanged = side !== this.side
    this.side = side
    this.entry = side === 'BUY' && this.kind === 'market' ? 'money' : 'shares'
    this.quantity = ''
    if (isChanged) this.#seed()
  }
  chooseKind(kind: Kind, type: PlainOrder['orderType'] = kind === 'market' ? 'FAK' : 'GTC'): void {
    const isChanged = kind !== this.kind
    this.kind = kind
    this.type = type
    if (!this.rests) this.postOnly = false
    if (type === 'GTD' && this.ends === '') this.ends = tomorrow()
    if (!isChanged) return
    this.entry = kind === 'market' && this.side === 'BUY' ? 'money' : 'shares'
    this.quantity = ''
    if (this.price === null) this.#seed()
  }
  /** Proposes the limit that would be first to wait: another side or outcome has another price. */
  #seed(): void {
    if (this.kind !== 'limit') return
    const best = (this.side === 'BUY' ? this.view.bids : this.view.asks)[0]?.price ?? this.view.last
    this.limit = best === null ? '' : writePrice(best)
  }
  /** Sets up a market sale of all lots of an outcome that can be sold. */
  sellAll(market: MarketView, outcome: 0 | 1, lots: number): void {
    this.chooseKind('market')
    this.aim(market, outcome)
    this.chooseSide('SELL')
    this.owned = lots
    this.fill(1)
    this.#whole = this.quantity
  }
  /** Sets a sale of all anew once it is known what open orders hold of the shares, unless the quantity was changed. */
  correctSale(isKnown: boolean): void {
    if (!isKnown || this.owned === null || this.#whole === null) return
    if (this.side === 'SELL' && this.quantity === this.#whole) this.fill(1)
    this.#whole = null
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
  setMoney(amount: number): void {
    this.entry = 'money'
    this.quantity = String(amount)
  }
  /** Sets the quantity to a part (0..1) of the available amount, the fee inside. */
  fill(part: number): void {
    if (this.side === 'SELL') this.quantity = this.owned ? writeShares(Math.floor(this.owned * part)) : ''
    else if (this.kind === 'market') {
      this.entry = 'money'
      this.quantity = writeMoney(Math.floor((this.cash ?? 0) * part))
    } else if (this.price !== null) {
      this.entry = 'shares'
      const lots = lotsWithin(this.met, Math.floor((this.cash ?? 0) * part), this.price, this.feeBps)
      this.quantity = writeShares(Math.floor(lots / LOTS_PER_SHARE) * LOTS_PER_SHARE || lots)
    }
  }

  /** Directs keys to the amount. */
  arm(): void {
    this.armed = true
    this.isFresh = true
  }

  /** The request body of the order. Only valid without obstacles. */
  body(clientOrderId: string): PlainOrder {
    const { market, outcome, side, kind, lots, budget, type } = this
    const tokenId = market!.tokens[outcome]
    if (kind === 'market') {
      const price = formatPrice(this.guard!)
      // All that the preview found is asked for by its cost: a few millionths more would only leave the order unfilled by them.
      const amount = budget !== null && this.unspent === 0 ? this.preview.cost : budget
      if (amount !== null) return { tokenId, side, orderType: type, amount: formatUsdc(amount), price, clientOrderId }
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
