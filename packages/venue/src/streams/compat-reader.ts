import type { Hex } from '@augury/engine/command'
import type { Trader } from '../access/identity.ts'
import type { MarketNews, UserNews } from './compat-messages.ts'
import type { StreamSocket } from './socket.ts'

/** One socket of an established stream: which messages of a row it gets, and what it does with what its client sends. */
export interface CompatReader {
  socket: StreamSocket
  /** The logged-in traders whose events it gets. */
  traders(): readonly Trader[]
  follows(condition: Hex): boolean
  /**
   * Followed conditions that changed while its client was not reading. Null where no books make up for what is left out: such a client is
   * told everything until it is cut off.
   */
  readonly missed: Set<Hex> | null
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
  missed: null,
  caughtUp: () => {},
  marketMessages: () => [],
  tradeMessages: () => [],
  userMessage: () => null,
})
