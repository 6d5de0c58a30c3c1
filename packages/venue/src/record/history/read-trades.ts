import type { Hex, OrderType, Outcome, Side } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import { ONE } from '@augury/units/price'
import { type Annex, decodeAnnex } from '../../base/annex.ts'
import { toBytes, toHex } from '../../base/postgres.ts'
import { IDS, lookUpEach } from './look-up-each.ts'
import { all, between, cursorOf, fetchSize, type Page, type PageRequest, pageOf, placeOf, type Source, Values } from './read-query.ts'

/** One maker's part of a trade. */
export interface MakerFill {
  /** Id `seq-n`. */
  id: string
  orderId: Hex
  account: Hex
  outcome: Outcome
  side: Side
  /** Steps of the maker's own token. */
  price: number
  lots: number
  kind: Extract<Event, { type: 'fill' }>['kind']
  by: Annex
}

/** A trade: one taker at one price, in the taker's token with the taker's side. */
export interface TradeRecord {
  /** Id `seq-n`, of its first fill. */
  id: string
  seq: number
  n: number
  /** Engine milliseconds. */
  at: number
  condition: Hex
  outcome: Outcome
  side: Side
  /** Steps of the taker's token. */
  price: number
  lots: number
  /** Millionths the taker paid in fees. */
  fee: number
  feeBps: number
  taker: { orderId: Hex; account: Hex; orderType: OrderType; by: Annex }
  makers: MakerFill[]
}

/** Which trades: an empty filter is all. Times are engine milliseconds, both ends excluded. */
export interface TradeFilter {
  id?: string
  /** Any of these. */
  conditions?: Hex[]
  /** None of these; in lists of all trades only. */
  except?: readonly Hex[]
  /** In the trade's own token; in a list of one account's trades, in the token that it traded. */
  outcome?: Outcome
  /** Of the taker, in the requested token. */
  side?: Side
  /** Smallest price × lots in millionths, in that token. */
  minCost?: number
  minLots?: number
  before?: number
  after?: number
}

/**
 * How many trades a page of a narrowed list looks at. No index tells which of them fit, and a filter may match none:
 * their page is short, or empty, and the next one goes on below it.
 */
const LOOKED_AT = 20_000

const TRADE = `
  select t.seq, t.n, t.at, t.condition_id, t.outcome, t.side, t.price, t.lots, t.fee, t.fee_bps, t.taker_order_id, t.taker_account,
    p.order_type, p.annex
  from trade t join placement p on p.stream = t.stream and p.order_id = t.taker_order_id`

const FILLS = `
  select f.seq, f.n, f.trade_n, f.kind, f.lots, f.maker_order_id, f.maker_account, f.maker_outcome, f.maker_side, f.maker_price, p.annex
  from unnest($2::int8[], $3::int[]) as t (seq, n)
  join fill f on f.stream = $1 and f.seq = t.seq and f.trade_n = t.n
  join placement p on p.stream = f.stream and p.order_id = f.maker_order_id
  order by f.seq, f.n`

/**
 * All trades, newest first. A page of a narrowed list may hold fewer than there are, or none, and is then followed by another. The trades of
 * each market are read from its own index, already in order.
 */
export async function readTrades(
  source: Source,
  filter: TradeFilter,
  request: PageRequest,
  lookedAt: number = LOOKED_AT,
): Promise<Page<TradeRecord>> {
  const { conditions, except, side, minCost, minLots, outcome } = filter
  const listed = (values: Values) => all('t.stream = $1', within(values, filter, request, 't', 't.n'))
  const isNarrowed = [except, side, minCost, minLots, outcome].some((one) => one !== undefined)
  const lowest = isNarrowed ? await lowestOf(source, 'trade t', listed, lookedAt, conditions) : null
  const values = new Values(source.stream)
  const hidden = except && `t.condition_id <> all(${values.of(except.map(toBytes))})`
  const where = all(listed(values), hidden, inToken(values, filter, 't.outcome'), sideAndCost(values, filter), from(values, 't', lowest))
  const newest = `order by t.seq desc, t.n desc limit ${fetchSize(request)}`
  const inMarkets = () => `
    with listed as (
      select t.seq, t.n from ${ofEach(values, conditions!)} (select seq, n from trade t where ${where} and t.condition_id = market.id ${newest}) t
      ${newest}
    )
    ${TRADE} join listed on listed.seq = t.seq and listed.n = t.n where t.stream = $1 ${newest}`
  const { rows } = await source.pool.query(conditions ? inMarkets() : `${TRADE} where ${where} ${newest}`, values.list)
  return downTo(
    lowest,
    pageOf(await withFills(source, rows), request, (trade) => trade),
  )
}

/** SQL that runs a query for each of some markets, `market.id`. */
const ofEach = (values: Values, conditions: readonly Hex[]) =>
  `unnest(${values.of([...new Set(conditions)].map(toBytes))}::bytea[]) as market (id) cross join lateral`

/**
 * Trades in which the account was taker or maker, newest first, in such pages. Both sides are each read from their own index, already in
 * order; a self-trade appears once.
 */
export async function readTradesOf(
  source: Source,
  account: Hex,
  filter: TradeFilter,
  request: PageRequest,
  lookedAt: number = LOOKED_AT,
): Promise<Page<TradeRecord>> {
  const { conditions, side, minCost, minLots, outcome } = filter
  const taking = (values: Values) =>
    all('t.stream = $1', `t.taker_account = ${values.of(toBytes(account))}`, within(values, filter, request, 't', 't.n'))
  const making = (values: Values) =>
    all('f.stream = $1', `f.maker_account = ${values.of(toBytes(account))}`, within(values, filter, request, 'f', 'f.trade_n'))
  const isNarrowed = [conditions, side, minCost, minLots, outcome].some((one) => one !== undefined)
  const ends: (number | null)[] = isNarrowed
    ? await Promise.all([lowestOf(source, 'trade t', taking, lookedAt), lowestOf(source, 'fill f', making, lookedAt)])
    : []
  const lowest = ends.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null)
  const values = new Values(source.stream)
  const limit = `limit ${fetchSize(request)}`
  const terms = sideAndCost(values, filter)
  const narrowed = (alias: string, token: string) =>
    all(inConditions(values, filter, alias), inToken(values, filter, token), from(values, alias, lowest))
  const text = `
    with mine as (
      (select t.seq, t.n from trade t where ${all(taking(values), narrowed('t', 't.outcome'), terms)}
       order by t.seq desc, t.n desc ${limit})
      union
      (select distinct f.seq, f.trade_n from fill f cross join lateral (
         select from trade t where ${all('t.stream = f.stream and t.seq = f.seq and t.n = f.trade_n', terms)}
         offset 0 -- else the planner may read all trades
       ) fitting
       where ${all(making(values), narrowed('f', 'f.maker_outcome'))} order by f.seq desc, f.trade_n desc ${limit})
    )
    ${TRADE} join mine on mine.seq = t.seq and mine.n = t.n
    where t.stream = $1 order by t.seq desc, t.n desc ${limit}`
  const { rows } = await source.pool.query(text, values.list)
  return downTo(
    lowest,
    pageOf(await withFills(source, rows), request, (trade) => trade),
  )
}

/** Trades of an account by the commands at these positions, oldest first. */
export async function readTradesAt(source: Source, account: Hex, seqs: readonly number[]): Promise<TradeRecord[]> {
  const { rows } = await source.pool.query({
    name: 'trades at',
    text: `${TRADE} where t.stream = $1 and t.seq = any($3) and (t.taker_account = $2 or exists (
      select from fill f where f.stream = t.stream and f.seq = t.seq and f.trade_n = t.n and f.maker_account = $2)) order by t.seq, t.n`,
    values: [source.stream, toBytes(account), seqs],
  })
  return withFills(source, rows)
}

/** Ids of the trades of each of these orders, oldest first; orders without trades are absent. */
export async function readTradeIds({ pool, stream }: Source, orders: readonly Hex[]): Promise<Map<Hex, string[]>> {
  const { rows } = await pool.query({
    name: 'trade ids of orders',
    text: `${lookUpEach(
      IDS,
      `select p.order_id, t.seq, t.n from placement p join trade t on t.stream = p.stream and t.seq = p.seq and t.taker_order_id = p.order_id
       where p.stream = $1 and p.order_id = asked.id
       union
       select maker_order_id, seq, trade_n from fill where stream = $1 and maker_order_id = asked.id`,
    )} order by seq, n`,
    values: [stream, orders.map(toBytes)],
  })
  const ids = new Map<Hex, string[]>()
  for (const { order_id, seq, n } of rows) {
    const order = toHex(order_id)
    const own = ids.get(order)
    if (own) own.push(`${seq}-${n}`)
    else ids.set(order, [`${seq}-${n}`])
  }
  return ids
}

/** The position down to which a page looks at a list, or at those of some markets together; null where the list ends before. */
async function lowestOf(
  { pool, stream }: Source,
  /** A table and its alias. */
  facts: string,
  where: (values: Values) => string,
  lookedAt: number,
  conditions?: readonly Hex[],
): Promise<number | null> {
  const values = new Values(stream)
  const last = (clause: string, offset: number) =>
    `select seq from ${facts} where ${clause} order by seq desc, n desc offset ${offset} limit 1`
  const inMarkets = (all: readonly Hex[]) => {
    const each = last(`${where(values)} and condition_id = market.id`, Math.ceil(lookedAt / all.length))
    return `select max(seq) as seq from ${ofEach(values, all)} (${each}) one`
  }
  const { rows } = await pool.query(conditions ? inMarkets(conditions) : last(where(values), lookedAt), values.list)
  return rows[0]?.seq ?? null
}

/** SQL of the facts that a page looks at. */
const from = (values: Values, alias: string, lowest: number | null) => lowest !== null && `${alias}.seq >= ${values.of(lowest)}`

/** A page that looked at nothing below a position is followed by one that begins there. */
const downTo = <Row>(lowest: number | null, { rows, next }: Page<Row>): Page<Row> => ({
  rows,
  next: next ?? (lowest === null ? null : cursorOf({ seq: lowest, n: 0 })),
})

/** SQL of the parts of a filter by which trades and fills are in order, each with its own columns. */
function within(values: Values, filter: TradeFilter, request: PageRequest, alias: string, n: string): string {
  const id = filter.id === undefined ? null : /^(\d{1,15})-(\d{1,9})$/.exec(filter.id)
  const place = placeOf(request)
  return all(
    filter.id !== undefined && (id ? `${alias}.seq = ${values.of(id[1])} and ${n} = ${values.of(id[2])}` : 'false'),
    between(values, `${alias}.seq`, filter),
    place && `(${alias}.seq, ${n}) < (${values.of(place.seq)}, ${values.of(place.n)})`,
  )
}

/** SQL of the filter by condition. */
const inConditions = (values: Values, { conditions }: TradeFilter, alias: string) =>
  conditions && `${alias}.condition_id = any(${values.of(conditions.map(toBytes))})`

/** SQL of the filter by token. */
const inToken = (values: Values, { outcome }: TradeFilter, column: string) => outcome !== undefined && `${column} = ${values.of(outcome)}`

/** SQL of the filters by side, cost and size, in the requested token where there is one. */
function sideAndCost(values: Values, { side, minCost, minLots, outcome }: TradeFilter): string {
  const asAsked = (own: string, mirror: string) =>
    outcome === undefined ? own : `case when t.outcome = ${values.of(outcome)} then ${own} else ${mirror} end`
  return all(
    side && `${asAsked('t.side', "case t.side when 'BUY' then 'SELL' else 'BUY' end")} = ${values.of(side)}`,
    minCost !== undefined && `${asAsked('t.price', `${ONE} - t.price`)} * t.lots >= ${values.of(minCost)}`,
    minLots !== undefined && `t.lots >= ${values.of(minLots)}`,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: rows of the database
async function withFills({ pool, stream }: Source, trades: any[]): Promise<TradeRecord[]> {
  if (trades.length === 0) return []
  const values = [stream, trades.map(({ seq }) => seq), trades.map(({ n }) => n)]
  const { rows } = await pool.query({ name: 'fills', text: FILLS, values })
  const makers = new Map<string, MakerFill[]>()
  for (const row of rows) {
    const trade = `${row.seq}-${row.trade_n}`
    const before = makers.get(trade)
    if (before) before.push(toMaker(row))
    else makers.set(trade, [toMaker(row)])
  }
  return trades.map((row) => toTrade(row, makers.get(`${row.seq}-${row.n}`) ?? []))
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
const toMaker = (row: any): MakerFill => ({
  id: `${row.seq}-${row.n}`,
  orderId: toHex(row.maker_order_id),
  account: toHex(row.maker_account),
  outcome: row.maker_outcome,
  side: row.maker_side,
  price: row.maker_price,
  lots: row.lots,
  kind: row.kind,
  by: decodeAnnex(row.annex),
})

// biome-ignore lint/suspicious/noExplicitAny: a row of the database
const toTrade = (row: any, makers: MakerFill[]): TradeRecord => ({
  id: `${row.seq}-${row.n}`,
  seq: row.seq,
  n: row.n,
  at: row.at,
  condition: toHex(row.condition_id),
  outcome: row.outcome,
  side: row.side,
  price: row.price,
  lots: row.lots,
  fee: row.fee,
  feeBps: row.fee_bps,
  makers,
  taker: { orderId: toHex(row.taker_order_id), account: toHex(row.taker_account), orderType: row.order_type, by: decodeAnnex(row.annex) },
})
