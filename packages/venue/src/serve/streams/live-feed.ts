import { randomBytes } from 'node:crypto'
import type { LiveSubscription } from '@augury/wire/compat-stream'
import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import type { Trader } from '../access/identity.ts'
import { liveMarket, type MarketNews } from './compat-messages.ts'
import { plainSymbol, type SiteMessage } from './site-topics.ts'

interface Wanted {
  subscription: LiveSubscription
  trader: Trader | null
}

type Fields = Readonly<Record<string, unknown>>

/** Characters that the filters of one socket may have together: enough to name all its tokens several times. */
const FILTER_LETTERS = 256 * 1024

/**
 * The filter of a JSON text: the tokens of a market topic, or the values of a tape's fields; null (no filter) when it is empty, one that
 * matches nothing when it is malformed.
 */
function filterOf(text: string | undefined): Set<string> | Fields | null {
  if (text === undefined || text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return new Set(value.map(String))
    return typeof value === 'object' ? (value as Fields) : null
  } catch {
    return new Set()
  }
}

/** Fields of a filter, and the fields of a trade that they match. */
const FIELDS = { event_slug: 'eventSlug', market_slug: 'slug', condition_id: 'conditionId' } as const

/** The name of a filter of trades: its values, null where any will do. Null for one with a value that no trade has. */
function nameOf(filter: Fields): string | null {
  const values = Object.keys(FIELDS).map((name) => filter[name])
  if (!values.every((value) => value === undefined || typeof value === 'string')) return null
  return JSON.stringify(values.map((value) => value ?? null))
}

/** The names of all filters that a trade passes, kept as long as the trade: every socket looks for them. */
const namesOfTrades = new WeakMap<Fields, readonly string[]>()
function namesFor(trade: Fields): readonly string[] {
  const known = namesOfTrades.get(trade)
  if (known) return known
  const values = Object.values(FIELDS).map((field) => trade[field])
  const choices = Array.from({ length: 2 ** values.length }, (_, bits) => values.map((value, n) => (bits & (1 << n) ? value : null)))
  const names = choices.map((choice) => JSON.stringify(choice))
  namesOfTrades.set(trade, names)
  return names
}

/** Whether a subscription to a topic of the site is about a message. */
function isAbout({ topic, type, filters }: LiveSubscription, message: SiteMessage): boolean {
  if (topic !== message.topic || (type !== '*' && type !== message.type)) return false
  const filter = filterOf(filters)
  if (filter === null || filter instanceof Set) return filter === null
  const { symbol, parentEntityID, parentEntityType } = filter
  if (topic === 'comments')
    return (
      (parentEntityID === undefined || Number(parentEntityID) === message.payload.parentEntityID) &&
      (parentEntityType === undefined || parentEntityType === message.payload.parentEntityType)
    )
  return symbol === undefined || plainSymbol(String(symbol)) === plainSymbol(String(message.payload.symbol))
}

/** Values by the type of message that they are asked for in. */
class ByType {
  readonly #values = new Map<string, Set<string>>()
  /** Those of all types. */
  readonly all = new Set<string>()

  add(type: string, values: Iterable<string>): void {
    const known = this.#values.get(type) ?? new Set()
    for (const value of values) {
      known.add(value)
      this.all.add(value)
    }
    this.#values.set(type, known)
  }

  /** What is asked for in messages of a type, and in those of all types. */
  of(type: string): ReadonlySet<string>[] {
    return [type, '*'].flatMap((one) => this.#values.get(one) ?? [])
  }
}

/** What all subscriptions of a socket ask for, made ready so that a message is looked up in it, however many they are. */
class Asked {
  /** Tokens of markets. */
  readonly tokens = new ByType()
  /** Markets without a filter. */
  readonly markets = new ByType()
  /** Names of filters of trades. */
  readonly trades = new ByType()
  /** Keys whose events are asked for. */
  readonly keys = new ByType()
  /** The trader of each key. */
  readonly traders: readonly Trader[]

  constructor(wanted: readonly Wanted[]) {
    const traders = new Map<string, Trader>()
    for (const { subscription, trader } of wanted) {
      const { topic, type, filters } = subscription
      if (trader) {
        traders.set(trader.key, trader)
        this.keys.add(type, [trader.key])
      }
      if (topic === 'clob_market') this.#addMarkets(type, filters)
      if (topic === 'activity') this.#addTrades(type, filters)
    }
    this.traders = [...traders.values()]
  }

  #addMarkets(type: string, filters: string | undefined): void {
    const filter = filterOf(filters)
    if (filter instanceof Set) this.tokens.add(type, filter)
    else this.markets.add(type, [])
  }

  #addTrades(type: string, filters: string | undefined): void {
    const filter = filterOf(filters)
    const name = filter instanceof Set ? null : nameOf(filter ?? {})
    if (name !== null) this.trades.add(type, [name])
  }
}

/** The subscriptions of one socket of the live-data path, and its frames. */
export class LiveFeed {
  readonly #connection = randomBytes(8).toString('base64url')
  #wanted: Wanted[] = []
  #asked: Asked | null = null
  readonly #told = new WeakSet<SiteMessage>()

  /** Adds a subscription; a private one comes with its verified trader. False when there are too many. */
  subscribe(subscription: LiveSubscription, trader: Trader | null = null): boolean {
    this.unsubscribe(subscription, trader?.key)
    const letters = this.#wanted.reduce(
      (sum, { subscription: { filters = '' } }) => sum + filters.length,
      subscription.filters?.length ?? 0,
    )
    if (this.#wanted.length >= SOCKET_CONDITIONS || letters > FILTER_LETTERS) return false
    this.#wanted.push({ subscription, trader })
    return true
  }

  /** Drops the subscriptions of this topic, type and filter; of private ones those of the key, if one is named. */
  unsubscribe({ topic, type, filters = '' }: LiveSubscription, key?: string): void {
    const isMeant = ({ subscription: own, trader }: Wanted) =>
      own.topic === topic &&
      (own.type === type || type === '*') &&
      (own.filters ?? '') === filters &&
      (!trader || key === undefined || trader.key === key)
    this.#wanted = this.#wanted.filter((wanted) => !isMeant(wanted))
    this.#asked = null
  }

  /** Prepares changed subscriptions while their client's message is handled, so that it counts as that client's work and not as work of a row. */
  settle(): Asked {
    this.#asked ??= new Asked(this.#wanted)
    return this.#asked
  }

  /** What is subscribed to. */
  subscriptions(): Pick<Required<LiveSubscription>, 'topic' | 'type' | 'filters'>[] {
    return this.#wanted.map(({ subscription: { topic, type, filters = '' } }) => ({ topic, type, filters }))
  }

  /** The traders that logged in on this socket. */
  traders(): readonly Trader[] {
    return this.settle().traders
  }

  /** Whether any message about some tokens is wanted. */
  wantsTokens(ids: readonly string[]): boolean {
    const { tokens } = this.settle()
    return ids.some((id) => tokens.all.has(id))
  }

  /** Whether a message about some tokens is wanted. Without a filter only new and resolved markets are. */
  wantsMarket(type: string, assets: readonly string[] | null): boolean {
    const { tokens, markets } = this.settle()
    if (tokens.of(type).some((asked) => assets === null || assets.some((id) => asked.has(id)))) return true
    return (type === 'market_created' || type === 'market_resolved') && markets.of(type).length > 0
  }

  /** Whether a trade is wanted. */
  wantsTrade(type: string, trade: Fields): boolean {
    return this.settle()
      .trades.of(type)
      .some((asked) => namesFor(trade).some((name) => asked.has(name)))
  }

  /** Whether events of a trader are wanted. */
  wantsUser(type: string, { key }: Trader): boolean {
    return this.settle()
      .keys.of(type)
      .some((asked) => asked.has(key))
  }

  /** What of the news of a market is wanted, as this path has it. */
  marketFrames(news: readonly MarketNews[]): object[] {
    return news.flatMap(({ assets, message }) => {
      const live = liveMarket(message)
      return live && this.wantsMarket(live.type, assets) ? [this.frame('clob_market', live.type, live.payload)] : []
    })
  }

  /** What of some trades is wanted. */
  tradeFrames(trades: readonly Fields[]): object[] {
    return trades.flatMap((trade) =>
      ['trades', 'orders_matched'].flatMap((type) => (this.wantsTrade(type, trade) ? [this.frame('activity', type, trade)] : [])),
    )
  }

  /** The topics that are subscribed to. */
  topics(): ReadonlySet<string> {
    return new Set(this.#wanted.map(({ subscription: { topic } }) => topic))
  }

  /** What of the messages of the site is wanted and was not sent yet. */
  siteFrames(messages: readonly SiteMessage[]): object[] {
    return messages.flatMap((message) => {
      if (this.#told.has(message) || !this.#wanted.some(({ subscription }) => isAbout(subscription, message))) return []
      this.#told.add(message)
      return [this.frame(message.topic, message.type, message.payload)]
    })
  }

  /** A message in the envelope of the live-data path. */
  frame(topic: string, type: string, payload: unknown): object {
    return { topic, type, timestamp: Date.now(), payload, connection_id: this.#connection }
  }
}
