import type { Hex } from '@augury/engine/command'
import type { Trader } from '../access/identity.ts'
import type { MarketNews, UserNews } from './compat-messages.ts'
import type { StreamSocket } from './socket.ts'

/** A socket of one of the three: what it says back to a row, and what it does with a frame. */
export interface CompatReader {
  socket: StreamSocket
  /** Whose events it hears. */
  traders(): readonly Trader[]
  follows(condition: Hex): boolean
  /** What it follows and that changed while it did not read. */
  readonly missed: Set<Hex>
  hearsAll: boolean
  hear(text: string): void
  /** It has read everything. */
  caughtUp(): void
  tellMarket(news: readonly MarketNews[]): unknown[]
  tellTrades(trades: readonly Record<string, unknown>[]): unknown[]
  tellUser(trader: Trader, message: UserNews): unknown | null
}

/** A reader of nothing. */
export const nothing = (socket: StreamSocket): CompatReader => ({
  socket,
  traders: () => [],
  follows: () => false,
  hearsAll: false,
  hear: () => {},
  missed: new Set(),
  caughtUp: () => {},
  tellMarket: () => [],
  tellTrades: () => [],
  tellUser: () => null,
})
