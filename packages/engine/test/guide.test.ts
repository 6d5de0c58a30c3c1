import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDecimal, formatLots, formatPrice, formatUsdc, parseDecimal, parseUsdc } from '@augury/units/decimal'
import { displayedPrice } from '@augury/units/displayed-price'
import { GRIDS, ONE } from '@augury/units/price'
import { describe, expect, test } from 'vitest'
import { idOf, Player } from './script.ts'

// The guide to the rules has its figures in tables. The first cells of a row say what happens; the engine plays that, and what comes
// out has to be what stands in the row. A figure outside a table, or a table that no test plays, fails.
const guide = readFileSync(join(import.meta.dirname, '../../../apps/web/src/docs/concepts.md'), 'utf8')
const [, ...parts] = guide.split(/^## /m)
const sections = new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part]))

type Row = readonly string[]
/** The tables of a section: heads apart from rows. */
const tablesOf = (heading: string): { head: Row; rows: Row[] }[] =>
  [...sections.get(heading)!.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
    const [head, , ...rows] = table.trimEnd().split('\n')
    const cells = (line: string) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    return { head: cells(head!), rows: rows.map(cells) }
  })

/** "53¢" is 0.53, as scripts say it. */
const price = (cents: string): string => formatPrice(parseDecimal(cents.replace('¢', ''), 2))
const cents = (steps: number): string => `${formatDecimal(steps, 2)}¢`
/** Millionths as dollars with two decimals, or as many as there are. */
const dollars = (micros: number): string => `$${formatUsdc(micros).replace(/^\d+$/, '$&.00').replace(/\.\d$/, '$&0')}`
const change = (micros: number): string => (micros === 0 ? '$0.00' : `${micros < 0 ? '−' : '+'} ${dollars(Math.abs(micros))}`)
const number = (text: string): string => /[\d.]+/.exec(text)![0]
const percentInBps = (text: string): number => Number(/([\d.]+) %/.exec(text)![1]) * 100

/** "sells 100 Yes at 53¢" as a line of a script. */
function order(text: string, id: string, account: string): string {
  const [, side, size, outcome, at] = /^(buys|sells) ([\d.]+) (Yes|No) at ([\d.]+¢)$/.exec(text)!
  return `place ${id} ${account} ${side === 'buys' ? 'BUY' : 'SELL'} ${outcome!.toUpperCase()} ${size} @ ${price(at!)}`
}

/** An exchange after these lines. None of them may be refused. */
function played(...lines: string[]): Player {
  const player = new Player()
  play(player, ...lines)
  return player
}
function play(player: Player, ...lines: string[]): string[] {
  const said = lines.flatMap((line) => player.line(line))
  expect(said.filter((answer) => answer.startsWith('refused'))).toEqual([])
  return said
}
const cash = (player: Player, account: string): number => player.exchange.balance(idOf(account, 20)).free
const sharesOf = (player: Player, account: string, outcome: 0 | 1): Map<string, number> =>
  new Map(
    player.exchange
      .holdings(idOf(account, 20))
      .filter((holding) => holding.outcome === outcome && holding.free > 0)
      .map(({ condition, free }) => [Buffer.from(condition.slice(2), 'hex').toString().replaceAll('\0', ''), free]),
  )
const pairs = (player: Player): number => player.exchange.condition(idOf('rain', 32))!.supply.no

/** Ada and Bob with money and shares of both sides, in a market of their own. */
const MARKET = ['market rain', 'deposit ada 1000', 'deposit bob 1000', 'split ada 200', 'split bob 200']

/** Ada with 100 No of each of these outcomes of an event, bought from others who have the Yes. */
function holder(outcomes: readonly string[], no: readonly string[]): Player {
  const player = played('deposit ada 1000', 'deposit zoe 1000', ...outcomes.map((id) => `market ${id} event cup ${outcomes.length}`))
  for (const id of no) play(player, `place n${id} ada BUY NO 100 @ 0.5 in ${id}`, `place y${id} zoe BUY YES 100 @ 0.5 in ${id}`)
  return player
}
const settle = (player: Player, id: string, weight: number): string[] =>
  play(player, `mode ${id} closed`, `resolve ${id} ${formatDecimal(weight, 4)}`, `redeem ada ${id}`)

/** 100 shares taken from Bob's order at a price, and what that brought whom. */
function taken(side: 'BUY' | 'SELL', at: string, terms: string) {
  const player = played(MARKET[0]! + terms, ...MARKET.slice(1), 'account ada referrer rob')
  const before = cash(player, 'ada')
  const maker = side === 'BUY' ? 'SELL' : 'BUY'
  const makerBefore = cash(player, 'bob')
  play(player, `place b1 bob ${maker} YES 100 @ ${price(at)}`, `place a1 ada ${side} YES 100 @ ${price(at)}`)
  const paid = parseUsdc(price(at)) * 100 * (side === 'BUY' ? 1 : -1)
  const [rebate, referrer, rest] = [cash(player, 'bob') - makerBefore - paid, cash(player, 'rob'), cash(player, 'creator')]
  return { moved: Math.abs(cash(player, 'ada') - before), rebate, referrer, rest, fee: rebate + referrer + rest }
}

/** Of every section, what its tables have to say. */
const checks: Readonly<Record<string, readonly ((rows: Row[], head: Row) => Row[])[]>> = {
  'One book for both outcomes': [
    (rows) =>
      rows.map(([what]) => {
        const player = played(...MARKET, order(what!, 'a1', 'ada'))
        const seen = ([0, 1] as const).map((outcome) => {
          const { bids, asks } = player.exchange.depth(idOf('rain', 32), outcome, 1)
          return bids.length > 0 ? `bid ${cents(bids[0]![0])}` : `offer ${cents(asks[0]![0])}`
        })
        return [what!, ...seen]
      }),
  ],
  'Matching: direct, mint and merge': [
    (rows) =>
      rows.map(([first, second]) => {
        const player = played(...MARKET)
        const before = [cash(player, 'ada'), cash(player, 'bob'), pairs(player)] as const
        const said = play(player, order(first!, 'a1', 'ada'), order(second!, 'b1', 'bob'))
        const kinds = said.flatMap((line) => /^fill .* (direct|mint|merge) /.exec(line)?.[1] ?? [])
        const made = pairs(player) - before[2]
        const supply = made === 0 ? 'as many' : `${made < 0 ? '−' : '+'} ${formatLots(Math.abs(made))}`
        return [first!, second!, kinds.join(), change(cash(player, 'ada') - before[0]), change(cash(player, 'bob') - before[1]), supply]
      }),
  ],
  'Split and merge': [
    (rows) => {
      const player = played('market rain')
      const verbs = { begins: 'deposit', splits: 'split', merges: 'merge' } as const
      return rows.map(([what]) => {
        play(player, `${verbs[what!.split(' ')[0] as 'begins']} ada ${Number(number(what!))}`)
        const held = [0, 1].map((outcome) => formatLots(sharesOf(player, 'ada', outcome as 0).get('rain') ?? 0))
        return [what!, dollars(cash(player, 'ada')), ...held]
      })
    },
  ],
  'Exactly one wins: neg-risk events': [
    (rows, head) => {
      const outcomes = /Of (.*), 100 No of/.exec(head[0]!)![1]!.split(/, | and /)
      return rows.map(([given]) => {
        const player = holder(outcomes, given!.split(', '))
        const before = cash(player, 'ada')
        play(player, `convert ada cup 100 ${given!.replaceAll(',', '')}`)
        const got = [...sharesOf(player, 'ada', 0)]
        expect(got.filter(([, lots]) => formatLots(lots) !== number(head[2]!))).toEqual([])
        return [
          given!,
          dollars(cash(player, 'ada') - before),
          got
            .map(([id]) => id)
            .sort()
            .join(', ') || 'none',
        ]
      })
    },
    (rows, head) => {
      const outcomes = /Of (.*) wins/.exec(head[0]!)![1]!.split(/, | and /)
      const given = /100 No of (.*) pay/.exec(head[1]!)![1]!.split(', ')
      return rows.map(([winner]) => {
        const paid = [[], [`convert ada cup 100 ${given.join(' ')}`]].map((first) => {
          const player = holder(outcomes, given)
          const before = cash(player, 'ada')
          play(player, ...first)
          for (const id of outcomes) settle(player, id, id === winner ? ONE : 0)
          return dollars(cash(player, 'ada') - before)
        })
        return [winner!, ...paid]
      })
    },
  ],
  Fees: [
    (rows, head) =>
      rows.map(([at]) => {
        const [buyer, seller] = (['BUY', 'SELL'] as const).map((side) => taken(side, at!, ` fee ${percentInBps(head[1]!)}`))
        expect(seller!.fee).toBe(buyer!.fee)
        return [at!, dollars(buyer!.fee), dollars(buyer!.moved), dollars(seller!.moved)]
      }),
    (rows, [, rate, makers, referrer]) =>
      rows.map(([at]) => {
        const parts = ` rebate ${percentInBps(makers!)} affiliate ${percentInBps(referrer!)}`
        const got = taken('BUY', at!, ` fee ${percentInBps(rate!)}${parts}`)
        return [at!, ...[got.fee, got.rebate, got.referrer, got.rest].map(dollars)]
      }),
  ],
  'Prices, ticks and lots': [
    () => [
      ['price', `$${formatPrice(1)}`],
      ['tick of a market', GRIDS.map(cents).join(', ')],
      ['shares', formatLots(1)],
      ['money', `$${formatUsdc(1)}`],
    ],
    (rows) =>
      rows.map(([at, size]) => {
        const player = played('market rain tick 0.0001', ...MARKET.slice(1))
        const before = cash(player, 'ada')
        play(player, `place b1 bob SELL YES ${size} @ ${price(at!)}`, `place a1 ada BUY YES ${size} @ ${price(at!)}`)
        return [at!, size!, dollars(before - cash(player, 'ada'))]
      }),
  ],
  'The displayed chance': [
    (rows) =>
      rows.map((row) => {
        const [bid, ask, last] = row.map((cell) => (cell === 'none' ? null : parseDecimal(cell.replace(/[¢ %]+$/, ''), 2)))
        return [...row.slice(0, 3), `${formatDecimal(displayedPrice({ bid: bid!, ask: ask!, last: last! })!, 2)} %`]
      }),
  ],
  Resolution: [
    (rows) =>
      rows.map(([decided]) => {
        const weight = { Yes: ONE, No: 0 }[decided!] ?? ONE / 2
        const paid = (['YES', 'NO'] as const).map((outcome) => {
          const player = played('market rain', 'deposit ada 100', 'split ada 100', 'deposit bob 100')
          const other = outcome === 'YES' ? 'NO' : 'YES'
          play(player, `place a1 ada SELL ${other} 100 @ 0.5`, `place b1 bob BUY ${other} 100 @ 0.5`)
          const before = cash(player, 'ada')
          settle(player, 'rain', weight)
          return dollars(cash(player, 'ada') - before)
        })
        return [decided!, ...paid]
      }),
    (rows, head) => {
      const outcomes = head.slice(1).map((cell) => /Yes of (\w+) pay/.exec(cell)![1]!)
      return rows.map(([decided, ...pays]) => {
        const player = played('deposit ada 1000', ...outcomes.map((id) => `market ${id} event cup ${outcomes.length}`))
        // The engine takes only weights that make one dollar together, and its answer to each is what a hundred Yes then pay.
        const paid = outcomes.map((id, n) => {
          play(player, `in ${id}`, 'split ada 100')
          const before = cash(player, 'ada')
          settle(player, id, parseUsdc(pays[n]!.slice(1)) / 10_000)
          const no = 100 * 1_000_000 - parseUsdc(pays[n]!.slice(1))
          return dollars(cash(player, 'ada') - before - no)
        })
        return [decided!, ...paid]
      })
    },
  ],
}

describe.each([...sections.keys()])('%s', (heading) => {
  test('every figure is in a table', () => {
    const prose = sections
      .get(heading)!
      .replace(/^\|.*$/gm, '')
      .replace(/^`.*`$/gm, '')
      .replace(/^\d\. /gm, '')
    expect(prose.match(/\S*\d\S*/g) ?? []).toEqual([])
  })

  test('its tables are what the engine does', () => {
    const tables = tablesOf(heading)
    expect(tables.length).toBe(checks[heading]?.length)
    expect(tables.map(({ rows, head }, n) => checks[heading]![n]!(rows, head))).toEqual(tables.map(({ rows }) => rows))
  })
})
