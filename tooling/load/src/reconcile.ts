import { setTimeout as wait } from 'node:timers/promises'
import { withConnection } from '@augury/testing/connection'
import type { Client } from 'pg'
import type { Crowd } from './crowd.ts'
import type { Note, Notebook } from './notebook.ts'
import type { System } from './system.ts'

const BATCH = 10_000
const LAG_PATIENCE_MS = 30 * 60_000

/** What was compared, and what does not agree, in sentences. */
export interface Reconciled {
  orders: number
  cancels: number
  /** Requests without an answer that took effect. */
  unheard: number
  /** From the end of the load until history was complete. */
  historySeconds: number
  wrong: string[]
}

/**
 * Imports what the generator knows beside history: each comparison is then one query over whole tables, where one per request took hours.
 */
const ASKED = 'create temporary table asked (kind text, order_id bytea, status int, word text, seq int8, matched int8)'
const NOTES = `
  insert into asked select $1, * from unnest($2::bytea[], $3::int[], $4::text[], $5::int8[], $6::int8[])`

/** Compares every requested order with history; each violation is counted under its sentence. */
const ORDERS = `
  with made as (select maker_order_id, sum(lots)::int8 as lots from fill where stream = 'main' group by 1),
  took as (select seq, taker_order_id, sum(lots)::int8 as lots from fill where stream = 'main' group by 1, 2)
  select
    count(*) filter (where a.status = 200 and p.order_id is null) as "acknowledged orders are missing",
    count(*) filter (where a.status = 200 and p.seq <> a.seq) as "orders stand elsewhere in the log than they were told",
    count(*) filter (where a.status = 200 and (p.first_matched <> a.matched or p.first_state::text <> a.word)) as "orders did something else at once than they were told",
    count(*) filter (where a.status not in (0, 200) and p.first_state <> 'rejected') as "refused orders are alive",
    count(*) filter (where o.matched <> coalesce(made.lots, 0) + coalesce(took.lots, 0)) as "orders have other fills than their sum",
    count(*) filter (where a.status = 0 and p.order_id is not null) as unheard
  from asked a
    left join placement p on p.stream = 'main' and p.order_id = a.order_id
    left join order_state o on o.stream = 'main' and o.order_id = a.order_id
    left join made on made.maker_order_id = a.order_id
    left join took on took.seq = p.seq and took.taker_order_id = a.order_id
  where a.kind = 'order'`

/** The same for every requested cancel. Each order had one cancel at most. */
const CANCELS = `
  select
    count(*) filter (where a.status = 200 and (o.state <> 'cancelled' or o.matched <> a.matched)) as "cancelled orders are not, or were filled afterwards",
    count(*) filter (where a.status = 409 and o.state::text <> a.word) as "cancels were told of another end",
    count(*) filter (where a.status in (429, 503) and o.state = 'cancelled') as "cancels that were turned away happened",
    count(*) filter (where a.status not in (0, 200, 409, 429, 503)) as "cancels of orders that were there were refused",
    count(*) filter (where a.status = 0 and o.state = 'cancelled') as unheard
  from asked a left join order_state o on o.stream = 'main' and o.order_id = a.order_id
  where a.kind = 'cancel'`

/** Invariants of the whole ledger, each as the sum or count of what violates it, in millionths. */
const LEDGER = `
  with entries as (select account, condition_id, outcome, sum(delta)::int8 as total, (array_agg(balance order by seq desc, n desc))[1] as last
    from ledger_entry where stream = 'main' group by 1, 2, 3),
  backing as (select coalesce(sum(case when weight is null then 10000 * no_lots else weight * yes_lots + (10000 - weight) * no_lots end), 0)::int8 as locked
    from condition_stats where stream = 'main'),
  moved as (select coalesce(sum(delta), 0)::int8 as net from ledger_entry where stream = 'main' and condition_id is null and reason not in ('deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned'))
  select
    (select count(*) from entries where total <> last) as "balances are not the sum of their entries",
    (select count(*) from entries e left join position p on p.stream = 'main' and p.account = e.account and p.condition_id = e.condition_id and p.outcome = e.outcome
      where e.condition_id is not null and p.lots is distinct from e.total) as "positions are not the sum of their entries",
    (select count(*) from condition_stats where stream = 'main' and weight is null and yes_lots <> no_lots) as "conditions have other numbers of Yes and of No",
    (select abs(net + locked) from moved, backing) as "millionths came from nowhere"`

/** Compares everything the generator knows with the exchange: its history, its ledger, and its answers. */
export async function reconcile(
  system: System,
  crowd: Crowd,
  notebook: Notebook,
  say: (line: string) => void = () => {},
): Promise<Reconciled> {
  const historySeconds = await wholeHistory(system.exchange)
  const found = new Map<string, number>()
  const count = (row: Record<string, unknown>) => {
    for (const [what, number] of Object.entries(row)) found.set(what, (found.get(what) ?? 0) + Number(number))
  }
  say(`history was whole ${historySeconds.toFixed(0)} s later`)
  const sums = { orders: 0, cancels: 0, accepted: 0 }
  return withConnection(system.databaseUrl, async (client) => {
    await client.query(ASKED)
    for await (const batch of notebook.batches(BATCH)) {
      for (const kind of ['order', 'cancel'] as const) {
        const notes = batch.filter((note) => note.kind === kind)
        sums[`${kind}s`] += notes.length
        if (kind === 'order') sums.accepted += notes.filter(({ status, word }) => status === 200 || word === 'rejected').length
        await client.query({ name: 'notes', text: NOTES, values: [kind, ...columns(notes)] })
      }
    }
    await client.query("set work_mem = '256MB'; analyze asked")
    for (const comparison of [ORDERS, CANCELS]) count((await client.query(comparison)).rows[0])
    say(`${notebook.count} notes compared`)
    const unheard = found.get('unheard') ?? 0
    found.delete('unheard')
    const accounts = crowd.traders.map(({ account }) => Buffer.from(account.slice(2), 'hex'))
    const { rows } = await client.query(`select count(*)::int as placed from placement where stream = 'main' and account = any($1)`, [
      accounts,
    ])
    if (rows[0].placed < sums.accepted) found.set('orders of the notebook have no place in history', sums.accepted - rows[0].placed)
    if (rows[0].placed > sums.accepted + unheard) found.set('unacknowledged orders', rows[0].placed - sums.accepted - unheard)
    count((await client.query(LEDGER)).rows[0])
    const wrong = [...found].filter(([, number]) => number > 0).map(([what, number]) => `${number} ${what}`)
    wrong.push(...(await balances(system, crowd, client)))
    return { orders: sums.orders, cancels: sums.cancels, unheard, historySeconds, wrong }
  })
}

const columns = (notes: readonly Note[]) => [
  notes.map(({ orderId }) => Buffer.from(orderId.slice(2), 'hex')),
  ...(['status', 'word', 'seq', 'matched'] as const).map((name) => notes.map((note) => note[name])),
]

/** Waits until history is complete. Resolves with how long that took. */
async function wholeHistory(exchange: string): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const { seq, projected_seq } = (await (await fetch(`${exchange}/status`)).json()) as { seq: number; projected_seq: number }
    const elapsed = performance.now() - begun
    if (projected_seq >= seq) return elapsed / 1000
    if (elapsed > LAG_PATIENCE_MS) throw new Error(`history stands at ${projected_seq} of ${seq}`)
    await wait(200)
  }
}

/** Cancels everything: then nothing is held, and every balance the exchange reports equals the ledger. */
async function balances({ exchange }: System, { traders, markets }: Crowd, client: Client): Promise<string[]> {
  const wrong: string[] = []
  for (const trader of traders) await trader.call(exchange, 'DELETE', '/cancel-all')
  await wholeHistory(exchange)
  for (const trader of traders) {
    const { rows } = await client.query(
      `select condition_id, outcome, sum(delta)::int8::text as total from ledger_entry where stream = 'main' and account = $1 group by 1, 2`,
      [Buffer.from(trader.account.slice(2), 'hex')],
    )
    const ledger = (condition: string | null, outcome: number | null) =>
      rows.find(
        (row) => row.outcome === outcome && (row.condition_id === null ? null : `0x${row.condition_id.toString('hex')}`) === condition,
      )?.total ?? '0'
    const said = (asset: string) => trader.call(exchange, 'GET', `/balance-allowance?asset_type=${asset}`)
    const cash = await said('COLLATERAL')
    if (cash.balance !== ledger(null, null)) wrong.push(`${trader.account} has ${cash.balance}, its ledger ${ledger(null, null)}`)
    if (cash.reserved !== '0') wrong.push(`${trader.account} has no orders, and ${cash.reserved} held`)
    for (const { condition, yes, no } of markets) {
      for (const [outcome, token] of [yes, no].entries()) {
        const { balance, reserved } = await said(`CONDITIONAL&token_id=${token}`)
        const lots = ledger(condition, outcome)
        if (Number(balance) !== Number(lots) * 10_000 || reserved !== '0')
          wrong.push(`${trader.account} has ${balance} of ${token} with ${reserved} held, its ledger ${lots} lots`)
      }
    }
  }
  return wrong
}
