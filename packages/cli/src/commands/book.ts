import type { LiveBook } from '@augury/client/live-book'
import type { Answer } from '@augury/client/rest'
import { MarketStream, marketStreamUrl } from '@augury/client/stream'
import type { Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { findMarket, type Market, outcomeOf } from '../find-market.ts'
import { readCount } from '../read-count.ts'
import { columns } from '../table.ts'

type Levels = Pick<Answer<'getOrderbook'>, 'bids' | 'asks'>

/** Shows a book, once or continuously. */
export const book: Command = {
  usage: 'MARKET [OUTCOME] [--depth N] [--watch [--updates N]]',
  about: 'The book of an outcome. Default: the first one.',
  flags: {
    depth: { value: 'N', about: 'Levels a side. Default: 10.' },
    watch: { about: 'Show it whenever it changes, until Ctrl-C.' },
    updates: { value: 'N', about: 'With --watch: end after so many updates.' },
  },
  words: [1, 2],
  async run(session, { words: [name = '', word], flag, given }) {
    const depth = readCount(flag('depth') ?? '10', '--depth')
    if (given('updates') && !given('watch')) throw misuse('--updates goes with --watch')
    const found = await findMarket(session.visitor, name)
    const outcome = outcomeOf(found, word) ?? 0
    if (given('watch')) return watch(session, found.market, outcome, depth, flag('updates'))
    const token_id = found.market.tokens[outcome]!.token_id
    const levels = await session.visitor.getOrderbook({ query: { token_id, depth } })
    session.show(levels, () => draw(found.market, outcome, levels))
  },
}

async function watch(session: Session, market: Market, outcome: 0 | 1, depth: number, updates: string | undefined): Promise<void> {
  const { terminal, url, json, show } = session
  let left = updates === undefined ? Number.POSITIVE_INFINITY : readCount(updates, '--updates')
  let end: (failure?: Failure) => void = () => {}
  const ended = new Promise<void>((resolve, reject) => {
    end = (failure) => (failure ? reject(failure) : resolve())
  })
  const stream = new MarketStream({
    url: marketStreamUrl(url),
    onStatus: (status) => {
      if (status === 'reconnecting') terminal.error('note: the connection is lost; trying again')
      if (status === 'refused') end(new Failure('stream_refused', 'the service does not serve this stream', 3))
    },
  })
  stream.follow(market, (live) => {
    if (left <= 0) return
    const levels = live.levels(outcome, depth)
    if (!json) terminal.clear()
    show(line(market, outcome, live, levels), () => draw(market, outcome, levels))
    if (--left === 0) end()
  })
  try {
    await Promise.race([ended, terminal.stopped()])
  } finally {
    stream.close()
  }
}

const line = ({ condition_id }: Market, outcome: 0 | 1, { seq, lastTrade }: LiveBook, { bids, asks }: Levels) => ({
  market: condition_id,
  outcome,
  seq,
  bids,
  asks,
  last_trade: lastTrade ?? null,
})

/** Renders a ladder: asks above bids, the best prices in the middle. */
function draw({ question, tokens }: Market, outcome: 0 | 1, { bids, asks }: Levels): string {
  const ask = asks.toReversed().map(({ price, size }) => ['', price, size])
  const bid = bids.map(({ price, size }) => [size, price, ''])
  const rows = [['BID SIZE', 'PRICE', 'ASK SIZE'], ...ask, ...(asks.length + bids.length === 0 ? [['', 'empty', '']] : []), ...bid]
  return `${question} ${tokens[outcome]!.outcome}\n${columns(rows, [0, 1])}\n`
}
