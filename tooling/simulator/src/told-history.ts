import { encodeRow } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import type { Event, OrderView } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'
import { withConnection } from '@augury/testing/connection'
import { prng } from '@augury/testing/prng'
import { type AccountChange, accountChanges } from '@augury/venue/record/history/account-changes'
import { FactWriter } from '@augury/venue/record/history/facts'
import { beginProjection, project } from '@augury/venue/record/history/projection'
import { openReadModel } from '@augury/venue/record/history/read-model'
import type { AppliedRow } from '@augury/venue/record/log/applied-row'
import { EMPTY, seal } from '@augury/venue/record/log/journal'
import { Replica } from '@augury/venue/record/log/replica'
import type pg from 'pg'
import { compareHistory } from './compare-history.ts'
import { realDatabase } from './real-database.ts'
import { nextRow, START } from './run-seed.ts'
import { logarithmic, type Swarm } from './swarm.ts'
import { Workload } from './workload.ts'

const COMMANDS = 600

/** What is known of a run without any history: the exchange that it made, and what happened on the way. */
export class Lived {
  readonly exchange: Exchange
  readonly accounts = new Set<Hex>()
  readonly conditions = new Set<Hex>()
  /** Every order as it was when something last happened to it. */
  readonly orders = new Map<Hex, OrderView>()
  /** What the streams told, in order. */
  readonly changes: AccountChange[] = []
  readonly entries: Extract<Event, { type: 'entry' }>[] = []
  readonly fills: Extract<Event, { type: 'fill' }>[] = []

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  /** Notes a row that was just applied. */
  note(row: AppliedRow): void {
    this.changes.push(...accountChanges(row, this.exchange, () => true))
    for (const event of row.outcomes.flatMap(({ events }) => events)) {
      if (event.type === 'entry') this.#enter(event)
      else if (event.type === 'condition') this.conditions.add(event.condition)
      else if (event.type === 'fill') {
        this.fills.push(event)
        this.#look(event.maker.orderId)
      } else if (event.type === 'reduced') this.#look(event.orderId)
      else if (event.type === 'placed' || event.type === 'ended') this.#look(event.order.orderId)
    }
  }

  #enter(entry: Extract<Event, { type: 'entry' }>): void {
    this.accounts.add(entry.account)
    this.entries.push(entry)
  }

  #look(id: Hex): void {
    this.orders.set(id, this.exchange.order(id)!)
  }
}

/**
 * A run that history can tell: in sums that it counts exactly, with annexes as the venue writes them, and over before the engine forgets an id,
 * which only the venue keeps from being used again.
 */
function tellable(seed: number): Partial<Swarm> {
  const random = prng(seed)
  return {
    accounts: logarithmic(random, 2, 10),
    conditions: logarithmic(random, 1, 6),
    lots: logarithmic(random, 2, 1_000_000),
    wealth: logarithmic(random, 10_000_000, 1_000_000_000_000),
    annexes: 1,
    retries: 0,
    leap: 0,
    beat: 1,
    step: logarithmic(random, 1, 500),
    life: logarithmic(random, 2, 60),
  }
}

/** Rows of a seed until `COMMANDS` are applied; then everything that is due ends. */
function* rowsOf(seed: number, exchange: Exchange): Generator<{ at: number; commands: Command[] }> {
  const work = new Workload(seed, tellable(seed))
  let row = { at: START, commands: [] as Command[] }
  while (exchange.seq < COMMANDS) {
    row = nextRow(work, exchange, row.at)
    yield row
  }
  for (let due = exchange.nextDue(); due !== null && due <= row.at; due = exchange.nextDue())
    yield { at: row.at, commands: [{ type: 'sweep', limit: 100 }] }
}

/** Lives a run and writes its journal and, in pieces of any size, its history. */
async function live(client: pg.Client, stream: string, seed: number): Promise<{ lived: Lived; seq: number; at: number }> {
  const replica = new Replica(stream)
  const facts = new FactWriter(stream)
  const lived = new Lived(replica.exchange)
  const random = prng(seed + 1)
  let written = EMPTY
  const write = async () => {
    await project(client, stream, written, replica.head, facts.take())
    written = replica.head
  }
  await beginProjection(client, stream)
  for (const { at, commands } of rowsOf(seed, replica.exchange)) {
    const { seq, checksum } = replica.head
    const place = { timeline: 1, epoch: 1, firstSeq: seq + 1, lastSeq: seq + commands.length, at }
    const row = seal(stream, { ...place, ...replica.state(), commands: encodeRow(commands), previousChecksum: checksum })
    await client.query(
      `insert into journal (stream, first_seq, last_seq, timeline, epoch, at, rules, applied_through, digest, commands, checksum, previous_checksum)
       values ($1, $2, $3, 1, 1, $4, $5, $6, $7, $8, decode($9, 'hex'), decode($10, 'hex'))`,
      [stream, row.firstSeq, row.lastSeq, at, row.rules, row.appliedThrough, row.digest, row.commands, row.checksum, row.previousChecksum],
    )
    const applied = replica.apply(row)
    facts.add(row, applied)
    lived.note(applied)
    if (random.chance(0.2)) await write()
  }
  if (written.seq < replica.head.seq) await write()
  return { lived, seq: replica.head.seq, at: replica.head.at }
}

/** Lives the run of a seed, writes its history into a real PostgreSQL, and compares all that it tells with what happened. */
export async function tellHistory(seed: number): Promise<{ failure: string | null; counts: { told: number } }> {
  const url = await realDatabase()
  const stream = `told ${seed}`
  const { lived, seq, at } = await withConnection(url, (client) => live(client, stream, seed))
  const history = openReadModel(url, stream, { projected: () => ({ seq, at }), reached: async () => true })
  try {
    return { failure: await compareHistory(history, lived), counts: { told: seq } }
  } finally {
    await history.close()
  }
}
