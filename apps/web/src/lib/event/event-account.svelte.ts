import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import type { Activity, Position } from '@augury/wire/data'
import type { PlainOrder } from '@augury/wire/order-body'
import type { OrderResult } from '@augury/wire/order-result'
import type { OpenOrder } from '@augury/wire/platform/trading'
import { account } from '#lib/account/account.svelte.ts'
import { siteMutation, siteQuery } from '#lib/failure/site-call.ts'
import type { Trouble } from '#lib/failure/trouble.ts'
import { m } from '#lib/paraglide/messages.js'
import { onOrdersChanged } from './order-news.ts'
import { readOfMarkets, time, worth } from './own-markets.ts'

/** Refresh interval of the reader's data, as prices move; changes of orders are pushed. */
const REFRESH_MS = 20_000
/** Pauses before an order without a response is sent again; its client id makes this safe. */
const RETRY_MS = [500, 2_000]
const POSITIONS = 500
const TRADES = 200

/** The words for what failed: loaded when orders are followed, as they may have to tell that there is no network. */
const troubles = () => import('#lib/failure/trouble.ts')

/** An order without a response yet. */
export interface PendingOrder {
  id: string
  order: PlainOrder
  market: string
  outcome: 0 | 1
}

/** The member's open orders, positions and trades in one event. Orders are shown as pending as soon as they are sent. */
export class EventAccount {
  orders = $state.raw<OpenOrder[]>([])
  positions = $state.raw<Position[]>([])
  trades = $state.raw<Activity[]>([])
  pending = $state.raw<PendingOrder[]>([])
  /** Ids of orders whose cancel has no response yet. */
  cancelling = $state.raw<ReadonlySet<string>>(new Set())
  trouble = $state.raw<Trouble | null>(null)
  /** Whether orders and positions were read: until then there may be some. */
  known = $state(false)
  #slug = ''
  #markets: ReadonlySet<string> = new Set()
  #requests = 0

  /** Starts with the data the page was rendered with; null for a visitor, and where the exchange did not answer. */
  begin(known: { orders: OpenOrder[]; positions: Position[] } | null): void {
    this.known = known !== null
    this.orders = known?.orders ?? []
    this.positions = known?.positions ?? []
  }

  /** Follows an event until the returned function is called. */
  watch(slug: string, conditionIds: readonly string[]): () => void {
    this.#slug = slug
    this.#markets = new Set(conditionIds)
    void troubles()
    void this.refresh()
    const timer = setInterval(() => document.hidden || this.refresh(), REFRESH_MS)
    const stop = onOrdersChanged(() => void this.refresh())
    return () => {
      stop()
      clearInterval(timer)
      this.#requests++
      this.trades = []
    }
  }

  /** Reads everything now. What cannot be read stays as it was. */
  async refresh(): Promise<void> {
    const request = ++this.#requests
    try {
      const [orders, positions, trades] = await Promise.all([
        siteQuery('listEventOpenOrders', { params: { slug: this.#slug } }),
        readOfMarkets(this.#markets, worth, (market) => siteQuery('listPositions', { query: { market, limit: POSITIONS } })),
        readOfMarkets(this.#markets, time, (market) => siteQuery('listOwnActivity', { query: { market, type: 'TRADE', limit: TRADES } })),
      ])
      if (request !== this.#requests) return
      this.known = true
      this.orders = orders.data
      this.positions = positions
      this.trades = trades.slice(0, TRADES)
    } catch (error) {
      if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error
    }
  }

  /** Places an order and returns its result. Throws what `siteMutation` throws. */
  async place(order: PlainOrder, market: string, outcome: 0 | 1): Promise<OrderResult> {
    const id = order.clientOrderId!
    this.pending = [{ id, order, market, outcome }, ...this.pending]
    try {
      return await this.#send(order)
    } finally {
      await Promise.all([this.refresh(), account.refresh()])
      this.pending = this.pending.filter((each) => each.id !== id)
    }
  }

  async #send(body: PlainOrder): Promise<OrderResult> {
    for (const pause of RETRY_MS) {
      try {
        return await siteMutation('placeOrder', { body })
      } catch (error) {
        const unknown = error instanceof NoAnswerError || (error instanceof RefusedError && error.code === 'outcome_unknown')
        if (!unknown) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
    return siteMutation('placeOrder', { body })
  }

  /** Cancels an order. If it has ended already, the list is just refreshed. */
  async cancel(id: string): Promise<void> {
    this.cancelling = new Set([...this.cancelling, id])
    this.trouble = null
    try {
      await siteMutation('cancelOrder', { params: { id } })
    } catch (error) {
      const ended = error instanceof RefusedError && error.code === 'order_ended'
      const { troubleOf } = await troubles()
      if (!ended) this.trouble = await troubleOf(error, m.portfolio_not_cancelled_one(), m.portfolio_perhaps_open_one())
    }
    await Promise.all([this.refresh(), account.refresh()])
    this.cancelling = new Set([...this.cancelling].filter((each) => each !== id))
  }

  /** Cancels all orders in this event. For those that have ended already, the list is just refreshed. */
  async cancelAll(): Promise<void> {
    const ids = this.orders.map(({ id }) => id)
    this.cancelling = new Set([...this.cancelling, ...ids])
    this.trouble = null
    try {
      for (const market of new Set(this.orders.map((order) => order.market.condition_id))) {
        await siteMutation('cancelAllOrders', { body: { market } })
      }
    } catch (error) {
      const { troubleOf } = await troubles()
      this.trouble = await troubleOf(error, m.portfolio_not_cancelled(), m.portfolio_perhaps_open())
    }
    await Promise.all([this.refresh(), account.refresh()])
    this.cancelling = new Set([...this.cancelling].filter((each) => !ids.includes(each)))
  }

  /** Lots of a token that can be sold: those held, less those offered by open orders. */
  sellable(tokenId: string): number {
    const position = this.positions.find(({ asset }) => asset === tokenId)
    return Math.max(0, Math.round((position?.size ?? 0) * LOTS_PER_SHARE) - account.heldLots(tokenId))
  }
}
