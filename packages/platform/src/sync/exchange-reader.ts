import type { Book } from '@augury/wire/book'
import type { ConditionVolume } from '@augury/wire/market'

/** What the jobs read of the exchange. */
export interface ExchangeReader {
  /** Figures of up to 500 conditions. */
  volumes(conditionIds: string[]): Promise<ConditionVolume[]>
  /** Books of up to 500 tokens, best first. */
  books(tokenIds: string[]): Promise<Book[]>
}
