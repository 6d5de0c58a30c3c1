import { randomBytes } from 'node:crypto'
import type { LiveSubscription } from '@augury/wire/compat-stream'
import { SOCKET_CONDITIONS } from '@augury/wire/limits'
import type { Trader } from '../access/identity.ts'

interface Wanted {
  subscription: LiveSubscription
  trader: Trader | null
  /** The tokens of a market topic, or the values of a tape's fields; null for all. */
  filter: ReadonlySet<string> | Readonly<Record<string, unknown>> | null
}

/** Characters that the filters of one socket may have together: enough to name all its tokens several times. */
const FILTER_LETTERS = 256 * 1024

/** The filter of a JSON text: null (no filter) when it is empty, one that matches nothing when it is malformed. */
function filterOf(text: string | undefined): Wanted['filter'] {
  if (text === undefined || text === '') return null
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return new Set(value.map(String))
    return typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return new Set()
  }
}

/** Fields of a filter, and the fields of a trade that they match. */
const FIELDS = { event_slug: 'eventSlug', market_slug: 'slug', condition_id: 'conditionId' } as const

/** The subscriptions of one socket of the live-data path, and its frames. */
export class LiveFeed {
  readonly #connection = randomBytes(8).toString('base64url')
  #wanted: Wanted[] = []

  /** Adds a subscription; a private one comes with its verified trader. False when there are too many. */
  subscribe(subscription: LiveSubscription, trader: Trader | null = null): boolean {
    this.unsubscribe(subscription, trader?.key)
    const letters = this.#wanted.reduce(
      (sum, { subscription: { filters = '' } }) => sum + filters.length,
      subscription.filters?.length ?? 0,
    )
    if (this.#wanted.length >= SOCKET_CONDITIONS || letters > FILTER_LETTERS) return false
    this.#wanted.push({ subscription, trader, filter: filterOf(subscription.filters) })
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
  }

  /** The traders that logged in on this socket. */
  traders(): Trader[] {
    return this.#wanted.flatMap(({ trader }) => trader ?? [])
  }

  #of(topic: string, type: string): Wanted[] {
    return this.#wanted.filter(({ subscription: own }) => own.topic === topic && (own.type === type || own.type === '*'))
  }

  /** Whether a message about some tokens is wanted. Without a filter only new and resolved markets are. */
  wantsMarket(type: string, assets: readonly string[] | null): boolean {
    return this.#of('clob_market', type).some(({ filter }) =>
      filter instanceof Set
        ? assets === null || assets.some((id) => filter.has(id))
        : type === 'market_created' || type === 'market_resolved',
    )
  }

  /** Whether a trade is wanted. */
  wantsTrade(type: string, trade: Readonly<Record<string, unknown>>): boolean {
    return this.#of('activity', type).some(
      ({ filter }) =>
        filter === null ||
        (!(filter instanceof Set) &&
          Object.entries(FIELDS).every(([name, field]) => {
            const asked = (filter as Record<string, unknown>)[name]
            return asked === undefined || asked === trade[field]
          })),
    )
  }

  /** Whether events of a trader are wanted. */
  wantsUser(type: string, { key }: Trader): boolean {
    return this.#of('clob_user', type).some(({ trader }) => trader?.key === key)
  }

  /** A message in the envelope of the live-data path. */
  frame(topic: string, type: string, payload: unknown): object {
    return { topic, type, timestamp: Date.now(), payload, connection_id: this.#connection }
  }
}
