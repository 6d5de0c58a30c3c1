import { Migration20261123190000_pairs } from '@augury/domain/clob/migrations/Migration20261123190000_pairs'
import type { Command, Hex } from '@augury/engine/command'
import { query, withConnection } from '@augury/testing/connection'
import { prng } from '@augury/testing/prng'
import { ONE } from '@augury/units/price'
import { expect, onTestFinished, test } from 'vitest'
import { FOLD_TABLES, fold, foldRest } from '../src/history/folds.ts'
import type { Movement } from '../src/history/read-accounts.ts'
import type { LedgerRecord } from '../src/history/read-ledger.ts'
import { connect, connection } from '../src/postgres.ts'
import { costBasis } from '../src/views/position-view.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { MINUTE, NOON, told } from './story.ts'

const PEOPLE = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay', 'creator']
const ANSWERS = ['east', 'west', 'north', 'south']
const CONDITIONS = [...ANSWERS, 'rain']
const EVENT = id('event')
/** Whose trades pay a part of their fee to whom. */
const REFERRED = [
  ['ann', 'fay'],
  ['bob', 'fay'],
  ['cid', 'ann'],
] as const

/**
 * A life of an event and a plain condition: every way in which money and shares change hands, until all is resolved and some of it paid.
 */
function* life(seed: number): Generator<[number, Command[]]> {
  const { integer, pick, chance } = prng(seed)
  const terms = () => ({ feeBps: pick([0, 37, 700]), rebateBps: pick([0, 2000, 3333]), affiliateBps: pick([0, 1000, 6667]) })
  yield [0, ANSWERS.map((name) => register(name, { ...terms(), event: { id: EVENT, size: ANSWERS.length } }))]
  yield [0, [register('rain', terms())]]
  yield [0, PEOPLE.map((name) => deposit(name, 1_000))]
  yield [
    0,
    REFERRED.map(([name, by]) => ({
      ...{ type: 'set_account', account: address(name), referrer: address(by), tier: null, stpGroup: null, banned: null },
    })),
  ]
  const ways: (() => Command)[] = [...Array.from({ length: 12 }, () => order), split, split, merge, convert, convert, out, back, feeChange]
  let n = 0
  let outs = 0
  const who = () => address(pick(PEOPLE))
  const next = () => id(`${seed} ${n++}`)
  function order(): Command {
    const side = pick(['BUY', 'BUY', 'SELL'] as const)
    const orderType = pick(['GTC', 'GTC', 'FAK'] as const)
    const byBudget = orderType === 'FAK' && side === 'BUY' && chance(0.5)
    const size = byBudget ? { lots: 0, budget: integer(10_000, 40_000_000) } : { lots: integer(1, 5000) }
    const through = {
      deployment: pick([null, address('cid'), address('eve')]),
      selfTrade: chance(0.1) ? ('none' as const) : ('expire_maker' as const),
    }
    const name = pick(CONDITIONS)
    return place(`${seed} order ${n++}`, pick(PEOPLE), side, pick([0, 1] as const), integer(30, 70), 1, {
      ...{ condition: id(name), orderType, ...size, ...through },
    })
  }
  function split(): Command {
    return { type: 'split', account: who(), condition: id(pick(CONDITIONS)), lots: integer(1, 9_000), request: next() }
  }
  function merge(): Command {
    return { type: 'merge', account: who(), condition: id(pick(CONDITIONS)), lots: integer(1, 2_000), request: next() }
  }
  function convert(): Command {
    const conditions = ANSWERS.filter(() => chance(0.4)).map(id)
    return { type: 'convert', account: who(), event: EVENT, conditions, lots: integer(1, 1_000), request: next() }
  }
  function out(): Command {
    return { type: 'withdraw', account: who(), amount: integer(1, 20_000_000), ref: id(`${seed} out ${outs++}`) }
  }
  function back(): Command {
    return { type: 'end_withdrawal', ref: id(`${seed} out ${integer(0, outs)}`), outcome: pick(['settled', 'returned']) }
  }
  function feeChange(): Command {
    return { type: 'set_condition', condition: id(pick(CONDITIONS)), mode: null, grid: null, feeBps: integer(0, 1000) }
  }
  let minute = 1
  function* busy(rows: number): Generator<[number, Command[]]> {
    for (let row = 0; row < rows; row++) yield [minute++, Array.from({ length: integer(1, 12) }, () => pick(ways)())]
  }
  function* ends(name: string, weight: number): Generator<[number, Command[]]> {
    yield [
      minute++,
      [
        { type: 'set_condition', condition: id(name), mode: 'closed', grid: null, feeBps: null },
        { type: 'sweep', limit: 10_000 },
      ],
    ]
    yield [minute++, [{ type: 'resolve', condition: id(name), weight }]]
    yield [minute++, [{ type: 'redeem', account: who(), condition: id(name), request: next() }]]
    yield [minute++, [{ type: 'redeem_all', condition: id(name), limit: integer(0, 3) }]]
  }
  yield* busy(40)
  yield* ends('east', 0) // one answer is out; the others go on, and convert among themselves
  yield* busy(15)
  yield* ends('rain', pick([0, 5000, 3333, ONE]))
  const west = integer(0, ONE)
  const north = integer(0, ONE - west)
  yield* ends('west', west)
  yield* ends('south', ONE - west - north)
  yield* ends('north', north)
}

/** What a movement did to the cash of whoever it is of. */
function cashOf({ type, side, usdc, fee }: Movement): number {
  const isSpent = (type === 'TRADE' && side === 'BUY') || type === 'SPLIT' || type === 'WITHDRAWAL'
  return (isSpent ? -usdc : usdc) - fee
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0)

/** Engine time when about half of a life is over. */
const HALFWAY = NOON + 30 * MINUTE
const CHANGING = ['trade', 'split', 'merge', 'convert', 'redeem']

test.each([1, 2, 3, 4, 5, 6, 7, 8])('what is told of everybody adds up to what they have (seed %i)', async (seed) => {
  const { history, exchange } = await told(life(seed))
  onTestFinished(() => history.close())
  let converted = 0
  const shares = await history.affiliateShares(0, 100_000)
  const totals = await history.totalsOf(PEOPLE.map(address))
  const halves = new Map(CONDITIONS.map((name, n) => [id(name), 3_001 * (n + 1)]))
  const boards = await Promise.all(
    [null, HALFWAY].map(async (since) => ({ since, rows: await history.standings(halves, since, 'gain', 100) })),
  )
  for (const name of PEOPLE) {
    const account: Hex = address(name)
    const { free, held } = exchange.balance(account)
    const entries: LedgerRecord[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { rows, next } = await history.ledger(account, { limit: 500, cursor: cursor ?? null })
      entries.push(...rows)
      cursor = next
    }
    const cash = entries.filter(({ asset }) => asset === null)
    expect(
      cash.reduce((sum, { delta }) => sum + delta, 0),
      `${name}: the ledger`,
    ).toBe(free + held)
    converted += entries.filter(({ reason }) => reason === 'convert').length

    const moved = await history.movements(account, {}, { limit: 20_000, offset: 0 })
    expect(
      moved.reduce((sum, movement) => sum + cashOf(movement), 0),
      `${name}: activity`,
    ).toBe(free + held)

    const trades = moved.filter(({ type }) => type === 'TRADE')
    const told = { volume: sumOf(trades, ({ usdc }) => usdc), trades: new Set(trades.map(({ seq, n }) => `${seq}-${n}`)).size }
    expect(totals.get(account) ?? { volume: 0, trades: 0 }, `${name}: totals`).toEqual(told)
    for (const { since, rows } of boards) {
      const dealt = entries.filter(({ at, reason }) => at > (since ?? 0) && (reason === 'trade' || reason === 'convert'))
      const gain = sumOf(dealt, ({ asset, delta }) => {
        const half = asset && halves.get(asset.condition)!
        return half === null ? delta : (delta * (asset!.outcome === 0 ? half : 2 * ONE - half)) / 2
      })
      const volume = sumOf(
        trades.filter(({ at }) => at > (since ?? 0)),
        ({ usdc }) => usdc,
      )
      const standing = rows.find((each) => each.account === account) ?? { volume: 0, gain: 0 }
      expect([standing.volume, standing.gain], `${name}: standing since ${since}`).toEqual([volume, gain])
    }
    expect(
      sumOf(
        shares.filter(({ referrer }) => referrer === account),
        ({ amount }) => amount,
      ),
      `${name}: rewards`,
    ).toBe(
      sumOf(
        cash.filter(({ reason }) => reason === 'affiliate'),
        ({ delta }) => delta,
      ),
    )

    const gains = (await history.positions(account)).map(costBasis).reduce((sum, { realized, initial }) => sum + realized - initial, 0)
    const flow = cash.filter(({ reason }) => CHANGING.includes(reason)).reduce((sum, { delta }) => sum + delta, 0)
    expect(gains, `${name}: gains`).toBe(flow)
  }
  expect(converted).toBeGreaterThan(0)

  const ids = CONDITIONS.map(id)
  const stats = await history.stats(ids, exchange.at)
  for (const condition of ids) {
    const { locked, supply } = exchange.condition(condition)!
    const holders = await Promise.all([history.holders(condition, 0, 100), history.holders(condition, 1, 100)])
    expect(stats.get(condition)).toMatchObject({ openInterest: locked, holders: holders.flat().length })
    expect(holders.map((each) => sumOf(each, ({ lots }) => lots))).toEqual([supply.yes, supply.no])
    const { rows, next } = await history.trades({ conditions: [condition] }, { limit: 500, cursor: null })
    expect(next).toBe(null)
    expect(stats.get(condition)).toMatchObject({ volume: sumOf(rows, ({ price, lots }) => price * lots), trades: rows.length })
  }
})

const POSITIONS = 'select * from position order by account, condition_id, outcome'
/** A condition of the event, and the answers of it that were resolved when an entry was made. */
const OF_EVENT = `in (${ANSWERS.map((name) => `'\\x${id(name).slice(2)}'`).join(', ')})`
const resolved = (sum: string) =>
  `(select ${sum} from condition_change c where c.change = 'resolved' and c.condition_id ${OF_EVENT} and c.seq < entry.seq)`
const YES_OF_PAIR = `case when condition_id ${OF_EVENT}
  then (10000 - ${resolved('coalesce(sum(weight), 0)')}) * delta / (${ANSWERS.length} - ${resolved('count(*)')}) else delta * 5000 end`
/** What came to somebody of a token, what that cost, and what went, from every table that says so, in the order in which it happened. */
const MOVES = `
  select account, condition_id, outcome, seq, came::text, cost::text, went::text from (
    select account, condition_id, outcome, seq, delta as came, case outcome when 0 then ${YES_OF_PAIR} else delta * 10000 - ${YES_OF_PAIR} end as cost,
      0 as went from ledger_entry entry where reason = 'split' and condition_id is not null
    union all select account, condition_id, outcome, seq, 0, 0, -delta from ledger_entry where reason in ('merge', 'redeem')
    union all select account, condition_id, outcome, seq, greatest(delta, 0), greatest(delta, 0) * 10000 / answers, greatest(-delta, 0)
      from ledger_entry join (select seq, count(*) as answers from ledger_entry where reason = 'convert' and outcome is not null group by 1) c using (seq)
      where reason = 'convert'
    union all select taker_account, condition_id, outcome, seq, lots, lots * price, 0 from trade where side = 'BUY'
    union all select taker_account, condition_id, outcome, seq, 0, 0, lots from trade where side = 'SELL'
    union all select maker_account, condition_id, maker_outcome, seq, lots, lots * maker_price, 0 from fill where maker_side = 'BUY'
    union all select maker_account, condition_id, maker_outcome, seq, 0, 0, lots from fill where maker_side = 'SELL'
  ) move where condition_id is not null order by seq, went`

test('what is held costs what came, less the average of its time for what went', async () => {
  const { history, url } = await told(life(3))
  onTestFinished(() => history.close())
  const books = new Map<string, { lots: bigint; cost: bigint }>()
  const keyOf = (row: { account: Buffer; condition_id: Buffer; outcome: number }) =>
    `${row.account.toString('hex')} ${row.condition_id.toString('hex')} ${row.outcome}`
  for (const move of await query(url, MOVES)) {
    const { lots, cost } = books.get(keyOf(move)) ?? { lots: 0n, cost: 0n }
    const [there, paid, went] = [lots + BigInt(move.came), cost + BigInt(move.cost), BigInt(move.went)]
    const left = there - went
    books.set(keyOf(move), { lots: left, cost: went === 0n ? paid : (2n * paid * left + there) / (2n * there) })
  }
  const rows = await query(url, POSITIONS)
  expect(rows.map((row) => [keyOf(row), row.lots, row.held_cost])).toEqual(
    rows.map((row) => [keyOf(row), String(books.get(keyOf(row))?.lots ?? 0n), String(books.get(keyOf(row))?.cost ?? 0n)]),
  )
  expect(rows.filter(({ held_cost }) => held_cost !== '0').length).toBeGreaterThan(5)
  expect(rows.some(({ merged_lots }) => merged_lots !== '0')).toBe(true)
})

test('folds are the same when they are made in many steps', async () => {
  const { history, url } = await told(life(5))
  onTestFinished(() => history.close())
  const folds = () => Promise.all(FOLD_TABLES.map((table) => query(url, `select * from ${table} row order by row`)))
  const first = await folds()
  const [{ last }] = await query(url, 'select projected_seq::int as last from projection')
  await withConnection(url, async (client) => {
    await client.query(`begin; ${FOLD_TABLES.map((table) => `delete from ${table}`).join(';')}`)
    for (let seq = 0; seq < last; seq += 7) await fold(client, 'main', seq, Math.min(last, seq + 7))
    await client.query('commit')
  })
  expect(await folds()).toEqual(first)
})

test('a database of the release before gets the same folds from its first follower', async () => {
  const { history, url } = await told(life(6))
  onTestFinished(() => history.close())
  const columns = 'account, condition_id, outcome, lots, split_cost, merged_cost, held_cost'
  const positions = () => query(url, `select ${columns} from position order by 1, 2, 3`)
  const first = await positions()
  await query(
    url,
    `alter table condition_change drop event_id, drop event_size; alter table position drop split_cost, drop merged_cost;
     alter table projection drop folds, drop folds_seq; drop function worth_of_half;
     insert into condition_metadata (condition_id, creator, record, content)
     select condition_id, '\\x${address('creator').slice(2)}', case when condition_id ${OF_EVENT}
       then '{"negRiskMarketId": "${EVENT}"}'::jsonb else '{"negRiskMarketId": null}' end, condition_id
     from condition_change where change = 'registered'`,
  )
  const migration = new Migration20261123190000_pairs(null as never, null as never)
  migration.up()
  for (const statement of migration.getQueries()) await query(url, String(statement))
  const halves = await positions()
  expect(halves).not.toEqual(first) // until then a share of every pair is valued at half a dollar
  expect(halves.map(({ lots, held_cost }) => [lots, held_cost])).toEqual(first.map(({ lots, held_cost }) => [lots, held_cost]))
  const client = await connect(connection(url, 'test'))
  await foldRest(client, 'main')
  await client.end()
  expect(await positions()).toEqual(first)
})
