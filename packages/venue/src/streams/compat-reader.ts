import type { Hex } from '@augury/engine/command'
import type { Trader } from '../access/identity.ts'
import type { MarketNews, UserNews } from './compat-messages.ts'
import type { StreamSocket } from './socket.ts'

/** What happened while a client was not reading. */
export interface Late {
  /** Conditions whose books changed. */
  conditions: Set<Hex>
  /** Messages that no book makes up for. */
  messages: unknown[]
}

/** One socket of an established stream: which messages of a row it gets, and what it does with what its client sends. */
export interface CompatReader {
  socket: StreamSocket
  /** The logged-in traders whose events it gets. */
  traders(): readonly Trader[]
  follows(condition: Hex): boolean
  /**
   * What its client has to hear once it reads again. Null where no books make up for what is left out: such a client is told everything
   * until it is cut off.
   */
  readonly late: Late | null
  /** Whether it may want messages of conditions it does not follow: new markets, trades. */
  followsAll: boolean
  /** Takes a text message of its client. */
  hear(text: string): void
  /** Called when a slow client has read everything. */
  caughtUp(): void
  /**
   * The messages to send for news of a market, for trades and for an event of a trader; none, or null, for what its client did not ask for.
   */
  marketMessages(news: readonly MarketNews[]): unknown[]
  tradeMessages(trades: readonly Record<string, unknown>[]): unknown[]
  userMessage(trader: Trader, message: UserNews): unknown | null
}

/** Receives nothing and says nothing: what every reader starts from. */
export const silentReader = (socket: StreamSocket): CompatReader => ({
  socket,
  traders: () => [],
  follows: () => false,
  followsAll: false,
  hear: () => {},
  late: null,
  caughtUp: () => {},
  marketMessages: () => [],
  tradeMessages: () => [],
  userMessage: () => null,
})
