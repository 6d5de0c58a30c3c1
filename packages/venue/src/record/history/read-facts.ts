import type { Source } from './read-query.ts'

/** A public fact without names; its fields are those of the schema `fact` in wire. Conditions as `0x` text. */
export type FactRecord = Record<string, unknown> & { kind: string; seq: number; n: number }

const TABLES = ['placement', 'order_change', 'fill', 'ledger_entry', 'condition_change'] as const

/** Position of the last of `$3` facts after a position, so that a page ends with a whole command; and how many facts there are. */
const END = `
  select max(seq) as seq, count(*)::int as facts from (
    select seq from (${TABLES.map((table) => `(select seq from ${table} where stream = $1 and seq > $2 order by seq limit $3)`).join(' union all ')}) together
    order by seq limit $3
  ) page`

/** The public name of an order, from which its id cannot be found. */
const order = (column: string) => `encode(substring(sha256(salt.secret || ${column}) for 16), 'hex')`
const market = (column: string) => `'0x' || encode(${column}, 'hex')`
const HOLDER = `
  encode(sha256(sha256(salt.secret || account) || account || case
    when condition_id is null then '\\x${'00'.repeat(33)}'::bytea
    else condition_id || case outcome when 0 then '\\x00'::bytea else '\\x01'::bytea end end), 'hex')`

const within = (table: string) => `from ${table} fact, salt where fact.stream = $1 and seq > $2 and seq <= $3 order by seq, n`
const SALT = 'with salt as (select secret from holder_salt where stream = $1)'

// The entry of a settled withdrawal has no amount; the withdrawal that it ends does.
const SETTLED = `
  (select begun.amount from transfer ended join transfer begun on begun.stream = ended.stream and begun.ref = ended.ref and begun.kind = 'withdrawal'
   where ended.stream = $1 and ended.seq = fact.seq and ended.kind = 'settled')`

const REF = `
  case when reason in ('deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned')
    then (select encode(ref, 'hex') from transfer where stream = $1 and seq = fact.seq) end`

const QUERIES = [
  `${SALT} select 'placed' as kind, seq, n, at, ${order('order_id')} as order, ${market('condition_id')} as market, outcome, side, price, lots
   ${within('placement')}`,
  `${SALT} select 'filled' as kind, seq, n, at, ${order('taker_order_id')} as taker, ${order('maker_order_id')} as maker,
     ${market('condition_id')} as market, maker_outcome as outcome, maker_side as side, maker_price as price, lots, fact.kind as how
   ${within('fill')}`,
  `${SALT} select 'changed' as kind, seq, n, at, ${order('order_id')} as order, lots, state as ended ${within('order_change')}`,
  `${SALT} select 'entry' as kind, seq, n, at, ${HOLDER} as holder, ${market('condition_id')} as market, outcome, delta, reason,
     case reason when 'withdraw' then -delta when 'withdraw_returned' then -delta when 'withdraw_settled' then -${SETTLED} else 0 end as withdrawing, ${REF} as ref
   ${within('ledger_entry')}`,
  `select 'market' as kind, seq, n, at, ${market('condition_id')} as market, change, mode, weight from condition_change fact
   where stream = $1 and seq > $2 and seq <= $3 order by seq, n`,
]

/**
 * Public facts of whole commands after a position, oldest first; `last` is null when there are no more. Names are hashed in the database, to
 * spare this process the work. Null where there is no salt for names, because state roots are off.
 */
export async function readFacts(
  { pool, stream }: Source,
  after: number,
  limit: number,
): Promise<{ facts: FactRecord[]; last: number | null } | null> {
  const salt = await pool.query('select from holder_salt where stream = $1', [stream])
  if (salt.rows.length === 0) return null
  const { rows } = await pool.query(END, [stream, after, limit])
  const { seq, facts: count } = rows[0]
  if (count === 0) return { facts: [], last: null }
  const facts: FactRecord[] = []
  // One after the other, so that reading all of history takes one connection and not most of the pool.
  // One by one, too: there may be more of a single command than a call takes arguments.
  for (const text of QUERIES) for (const fact of (await pool.query<FactRecord>(text, [stream, after, seq])).rows) facts.push(fact)
  facts.sort((a, b) => a.seq - b.seq)
  return { facts, last: count < limit ? null : seq }
}
