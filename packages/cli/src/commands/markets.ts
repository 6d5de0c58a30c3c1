import type { Command } from '../command.ts'
import { everyMarket, firstOf, marketsWith } from '../find-market.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { readCount } from '../read-count.ts'
import { short, table } from '../table.ts'

const percentOf = (price: number | null | undefined) => (price === null || price === undefined ? '-' : `${Math.round(price * 1000) / 10}%`)

/** Lists markets. */
export const markets: Command = {
  usage: '[--search WORDS] [--all] [--limit N]',
  about: 'Markets that accept orders, with the price of their first outcome.',
  flags: {
    search: { value: 'WORDS', about: 'Only markets that match these words.' },
    all: { about: 'Also markets that accept no orders.' },
    limit: { value: 'N', about: 'At most so many. Default: 20.' },
  },
  words: [0, 0],
  async run({ visitor, show, terminal }, { flag, given }) {
    const limit = readCount(flag('limit') ?? '20', '--limit')
    const [words, all] = [flag('search')?.trim(), given('all')]
    const found = words
      ? await mapConcurrently(await firstOf(marketsWith(visitor, words, all), limit), (condition_id) =>
          visitor.getMarket({ params: { condition_id } }),
        )
      : await firstOf(everyMarket(visitor, all), limit)
    const width = Math.max(24, Math.min(60, (terminal.columns ?? 120) - 64))
    const rows = found.map(({ question, tokens, minimum_tick_size, end_date_iso, market_slug }) => [
      short(question, width),
      percentOf(tokens[0]?.price),
      String(minimum_tick_size),
      end_date_iso?.slice(0, 10) ?? '',
      market_slug,
    ])
    const none = all ? 'no such market' : 'no such market accepts orders: --all has the others'
    show(found, () => table(['QUESTION', 'CHANCE', 'TICK', 'ENDS', 'SLUG'], rows, none, [1, 2]))
  },
}
