import { RefusedError } from '@augury/client/answer'
import { createTradingKey } from '@augury/client/api-key'
import { pages } from '@augury/client/pages'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { openTrading, type Trading, type TradingOptions, tradingUrl } from '@augury/client/trading'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { ORDER_BATCH, TOKEN_BATCH } from '@augury/wire/limits'
import type { OrderRequest } from '@augury/wire/order-body'
import { ladder, type Quoted, quoted, wander } from './quotes.ts'
import type { Wallets } from './wallets.ts'

/** What the bot knows of a market beforehand: its price, and how much it was traded. */
export type Catalogue = ReadonlyMap<string, { price: number; volume: number }>

/** Where prices were when the bot ended, in steps, by condition id. */
export type LastPrices = ReadonlyMap<string, number>

/** Markets quoted in depth at the same time, how many of them always are, levels a side there, and lots of the first level. */
const DEEP = 40
const KEPT = 24
const LEVELS = 6
const SCALE = 7500
/** Lots of the only level of every other market: a first trade of some dozens of dollars meets one price. */
const THIN = 6000
/** Money below which the faucet is asked, and what it is asked for, the most it gives in a day; in millionths and USDC. */
const ENOUGH = 50_000_000_000
const GIFT = '100000'

/** Quotes every open market thinly and some in depth, and trades a little against itself through other wallets. */
export class MarketMaker {
  readonly #maker: VenueClient
  /** Its orders and cancels, over one socket. */
  readonly #trading: Trading
  readonly #takers: readonly VenueClient[]
  readonly #catalogue: Catalogue
  readonly #last: LastPrices
  readonly #random: () => number
  /** The first `DEEP` of them are quoted in depth. */
  #markets: Quoted[] = []
  #next = 0
  #nextThin = 0
  readonly #session = crypto.randomUUID()
  #named = 0

  private constructor(
    { client, trading }: Maker,
    takers: readonly VenueClient[],
    catalogue: Catalogue,
    last: LastPrices,
    random: () => number,
  ) {
    this.#maker = client
    this.#trading = trading
    this.#takers = takers
    this.#catalogue = catalogue
    this.#last = last
    this.#random = random
  }

  /**
   * Creates the wallets' keys, takes money from the faucet, takes away the quotes of before, and quotes every market thinly: where `last` says
   * that its price was, so that a start moves nothing.
   */
  static async open(
    url: string,
    { maker, takers }: Wallets,
    catalogue: Catalogue,
    last: LastPrices = new Map(),
    random: () => number = Math.random,
  ): Promise<MarketMaker> {
    const [quoting, ...takerClients] = await Promise.all([makerOf(url, maker), ...takers.map((wallet) => fundedClient(url, wallet))])
    const bot = new MarketMaker(quoting, takerClients, catalogue, last, random)
    try {
      await bot.#trading.cancelAll()
      await bot.refresh()
    } catch (error) {
      bot.#trading.close()
      throw error
    }
    return bot
  }

  /** Markets it quotes. */
  get size(): number {
    return this.#markets.length
  }

  /** Where its prices are. */
  get prices(): LastPrices {
    return new Map(this.#markets.map(({ condition, fair }) => [condition, fair]))
  }

  /** Drops markets that take no orders any more, and quotes new ones and those with an empty side. */
  async refresh(): Promise<void> {
    const open = await openMarkets(this.#maker, this.#catalogue, this.#last)
    const stillOpen = new Set(open.map(({ condition }) => condition))
    const known = new Set(this.#markets.map(({ condition }) => condition))
    const fresh = open.filter(({ condition }) => !known.has(condition))
    for (const market of fresh) market.movedAt = this.#next
    const all = [...this.#markets.filter(({ condition }) => stillOpen.has(condition)), ...fresh]
    this.#markets = [...all.filter(({ isShort }) => isShort), ...all.filter(({ isShort }) => !isShort)]
    await this.#post(fresh.flatMap((market) => ladder(market, 1, THIN)))
    await this.#refill()
  }

  /** Outside the depth a turn comes after minutes: an emptied book would stay empty for that long. */
  async #refill(): Promise<void> {
    const thin = new Map(this.#markets.slice(DEEP).map((market) => [market.tokens[0], market]))
    const tokens = [...thin.keys()]
    for (let start = 0; start < tokens.length; start += TOKEN_BATCH) {
      const books = await this.#maker.getBooks({ body: tokens.slice(start, start + TOKEN_BATCH).map((token_id) => ({ token_id })) })
      for (const { asset_id, bids, asks } of books) {
        const market = thin.get(asset_id)!
        const sides = Math.min(bids.length, 1) + Math.min(asks.length, 1)
        if (sides < ladder(market, 1, THIN).length) await this.#requote(market, 1, THIN)
      }
    }
  }

  /** One step: moves and requotes the next market in turn, and now and then trades in it; moves one of those outside the depth, too. */
  async step(): Promise<void> {
    const market = this.#markets[this.#next++ % Math.min(DEEP, this.#markets.length)]
    if (!market) return
    if (this.#next % DEEP === 0 && this.#markets.length > DEEP) await this.#rotate()
    this.#move(market)
    await this.#requote(market, LEVELS, SCALE)
    const taker = this.#takers[Math.floor(this.#random() * this.#takers.length)]!
    if (this.#random() < 0.5) await this.#trade(taker, market)
    for (const client of [this.#maker, taker]) await mergePairs(client, market)
    await this.#moveThin()
  }

  /** Lets a price go as far as it went since it moved last: a turn is a round through the depth. */
  #move(market: Quoted): void {
    wander(market, this.#random, (this.#next - market.movedAt) / Math.min(DEEP, this.#markets.length))
    market.movedAt = this.#next
  }

  /** Moves the next market outside the depth, whose turn comes seldom. */
  async #moveThin(): Promise<void> {
    const rest = this.#markets.length - DEEP
    if (rest <= 0) return
    const market = this.#markets[DEEP + (this.#nextThin++ % rest)]!
    this.#move(market)
    await this.#requote(market, 1, THIN)
  }

  /** After each round one market loses its depth to the next of the list. Short ones and those that readers look at most come first and keep it. */
  async #rotate(): Promise<void> {
    const kept = Math.min(this.#markets.filter(({ isShort }) => isShort).length + KEPT, DEEP - 1)
    const [leaving] = this.#markets.splice(kept + Math.floor(this.#random() * (DEEP - kept)), 1)
    this.#markets.push(leaving!)
    await this.#requote(leaving!, 1, THIN)
  }

  async #requote(market: Quoted, levels: number, scale: number): Promise<void> {
    await this.#trading.cancelMarketOrders({ body: { market: market.condition } })
    await this.#post(ladder(market, levels, scale))
  }

  /** Takes every quote away. */
  async close(): Promise<void> {
    try {
      await this.#trading.cancelAll()
    } finally {
      this.#trading.close()
    }
  }

  /** Sends orders, each under a name of its own: equal ones within a second would else be one. */
  async #post(quotes: OrderRequest[]): Promise<void> {
    const orders = quotes.map((quote) => ({ ...quote, clientOrderId: `${this.#session}-${this.#named++}` }))
    for (let start = 0; start < orders.length; start += ORDER_BATCH)
      await this.#trading.placeOrders({ body: orders.slice(start, start + ORDER_BATCH) })
  }

  /** Buys or sells a few shares of one of the tokens, against orders within two ticks of the price. */
  async #trade(taker: VenueClient, { tokens, fair, grid, minLots }: Quoted): Promise<void> {
    const outcome = this.#random() < 0.5 ? 0 : 1
    const tokenId = tokens[outcome]
    const lots = minLots + Math.floor(this.#random() * 20) * 100
    const held = await lotsOf(taker, tokenId)
    const sells = held >= minLots && this.#random() < 0.5
    const price = (outcome === 0 ? fair : ONE - fair) + (sells ? -2 : 2) * grid
    if (price < grid || price > ONE - grid) return
    const size = formatLots(sells ? Math.min(lots, held) : lots)
    const order = { tokenId, side: sells ? 'SELL' : 'BUY', orderType: 'FAK', price: formatPrice(price), size } as const
    await taker.placeOrder({ body: order }).catch(allow('fak_no_match', 'amount_too_small', 'insufficient_balance', 'market_closed'))
  }
}

/** The quoting account: what it asks over REST, and what it does over its trading socket. */
interface Maker {
  client: VenueClient
  trading: Trading
}

async function makerOf(url: string, wallet: Wallets['maker']): Promise<Maker> {
  const apiKey = await createTradingKey({ url, wallet })
  const client = await fundedClient(url, wallet, apiKey)
  return { client, trading: openTrading({ url: tradingUrl(url), apiKey, client }) }
}

/** A client of the wallet's own key, with money. */
async function fundedClient(url: string, wallet: Wallets['maker'], key?: TradingOptions['apiKey']): Promise<VenueClient> {
  const client = venueClient({ url, apiKey: key ?? (await createTradingKey({ url, wallet })) })
  const { available } = await client.getBalance({ query: { asset_type: 'COLLATERAL' } })
  if (Number(available) < ENOUGH) await client.faucet({ body: { address: wallet.address, amount: GIFT } }).catch(allow('faucet_limit'))
  return client
}

/** Returns its estimate for a market without quotes or trades. */
const UNKNOWN = 0.5

/** All markets that take orders. First come those with much volume and an open outcome: there a reader looks, and there is something to move. */
async function openMarkets(client: VenueClient, catalogue: Catalogue, last: LastPrices): Promise<Quoted[]> {
  const found: { market: Quoted; interest: number }[] = []
  for await (const row of pages((next_cursor) => client.listSamplingMarkets({ query: { next_cursor } }))) {
    const known = catalogue.get(row.market_slug) ?? { price: row.tokens[0]!.price ?? UNKNOWN, volume: 0 }
    const market = quoted(row, known.price, last.get(row.condition_id))
    if (market) found.push({ market, interest: known.volume * known.price * (1 - known.price) })
  }
  return found.sort((a, b) => b.interest - a.interest).map(({ market }) => market)
}

/** Lots of a token that a wallet can sell. */
async function lotsOf(client: VenueClient, token_id: string): Promise<number> {
  const { available } = await client.getBalance({ query: { asset_type: 'CONDITIONAL', token_id } })
  return Math.floor(Number(available) / MICROS_PER_LOT)
}

/** Turns pairs of both shares back into money: that is how a bot that only buys does not run dry. */
async function mergePairs(client: VenueClient, { condition, tokens }: Quoted): Promise<void> {
  const held = await Promise.all(tokens.map((token_id) => client.getBalance({ query: { asset_type: 'CONDITIONAL', token_id } })))
  const pairs = Math.min(...held.map(({ available }) => Number(available)))
  if (pairs === 0) return
  await client
    .mergePosition({ body: { market: condition, amount: formatUsdc(pairs) } })
    .catch(allow('condition_not_open', 'insufficient_shares'))
}

/** Lets some refusals pass and throws everything else. */
const allow =
  (...codes: string[]) =>
  (error: unknown): void => {
    if (!(error instanceof RefusedError && error.code && codes.includes(error.code))) throw error
  }
