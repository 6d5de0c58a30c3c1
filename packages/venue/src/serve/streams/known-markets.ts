import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import type { Token } from '../../base/books.ts'
import type { Markets } from '../reference/markets.ts'
import { bestPrices } from './market-messages.ts'

/** Grid and best prices of a condition as last sent to its readers. */
export interface Known {
  grid: number
  best: string
}

/** What the readers of a stream were last sent of each market that any of them may follow, to send only differences. */
export class KnownMarkets {
  readonly #source: { exchange: Exchange; markets: Markets }
  readonly #known = new Map<Hex, Known>()

  constructor(source: { exchange: Exchange; markets: Markets }) {
    this.#source = source
  }

  /** What is known of a registered condition, which is tracked from now on; the caller updates it with what is sent. */
  of(condition: Hex): Known {
    return this.#known.get(condition) ?? this.renew(condition)
  }

  /** The same after a change of which no message was made: as the condition is now. */
  renew(condition: Hex): Known {
    const { exchange } = this.#source
    const known = { grid: exchange.condition(condition)!.grid, best: bestPrices(exchange.depth(condition, 0, 1)) }
    this.#known.set(condition, known)
    return known
  }

  /** A registered token, whose condition is tracked from now on; null when there is none. */
  token(id: string): Token | null {
    const token = this.#source.markets.token(id)
    if (!token || !this.#source.exchange.condition(token.condition)) return null
    this.of(token.condition)
    return token
  }

  /** Tracks every market from now on. */
  trackAll(): void {
    const { markets, exchange } = this.#source
    for (const { condition } of markets.page(0, markets.count)) if (exchange.condition(condition)) this.of(condition)
  }

  /** Forgets what was last sent, after a change that was not sent. */
  forget(condition: Hex): void {
    this.#known.delete(condition)
  }

  /** Forgets all. */
  clear(): void {
    this.#known.clear()
  }
}
