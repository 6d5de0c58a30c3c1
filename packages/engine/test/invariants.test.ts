import { expect, test } from 'vitest'
import type { Exchange } from '../src/exchange.ts'
import { InvariantError } from '../src/invariant-error.ts'
import { Player } from './script.ts'

/** A market with a resting BUY No of 10 by alice (account 2) and money of bob (account 3). */
function market(): Player {
  const player = new Player()
  for (const line of ['market rain', 'deposit alice 100', 'deposit bob 100', 'place a1 alice BUY NO 10 @ 0.5']) player.line(line)
  return player
}

/** What can only be after a bug or a broken memory, and the next command that would build on it. */
const broken: [string, (exchange: Exchange) => void, string][] = [
  ['a maker whose hold is gone', ({ state }) => (state.accounts.held[2] = 1), 'place b1 bob BUY YES 10 @ 0.5'],
  ['a hold smaller than its order', ({ state }) => (state.accounts.held[2] = 1), 'cancel alice a1'],
  ['locked money without a source', ({ state }) => (state.conditions.locked[1] = 5), 'place b1 bob BUY YES 10 @ 0.5'],
  ['tokens that were not issued', ({ state }) => (state.conditions.supply[2] = 5), 'place b1 bob BUY YES 10 @ 0.5'],
  ['a seller whose shares are gone', breakSeller, 'place b2 bob BUY YES 1 @ 0.9'],
  ['a book whose best ask was lost', ({ state }) => (state.conditions.ladders[1]!.bestAsk = 99), 'place b1 bob BUY YES 10 @ 0.6'],
]

function breakSeller(exchange: Exchange): void {
  exchange.state.holdings.held.fill(0)
}

test.each(broken)('%s stops the engine', (_, harm, line) => {
  const player = market()
  player.line('split alice 10')
  player.line('place s1 alice SELL YES 10 @ 0.5')
  if (harm === breakSeller) player.line('cancel alice a1')
  harm(player.exchange)
  expect(() => player.line(line)).toThrow(InvariantError)
})

test('a bug in planning is reported, refuses the command and changes nothing', () => {
  const player = market()
  const bugs: unknown[] = []
  player.exchange.onBug = (error, seq) => bugs.push([String(error), seq])
  const { state } = player.exchange
  const before = player.line('money alice bob')
  const { ladders } = state.conditions
  const ladder = ladders[1]!
  ladders[1] = new Proxy(ladder, {
    get() {
      throw new Error('a bug')
    },
  })
  expect(player.line('place b1 bob BUY YES 10 @ 0.5')).toEqual(['refused internal_error'])
  expect(bugs).toEqual([['Error: a bug', player.exchange.seq]])
  ladders[1] = ladder
  expect(player.line('money alice bob')).toEqual(before)
  expect(player.line('place b1 bob BUY YES 10 @ 0.5')).toContain('placed b1 filled 10 of 10')
})
