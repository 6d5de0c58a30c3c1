import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { withConnection } from '@augury/testing/connection'
import { FactWriter } from '../src/record/history/facts.ts'
import { beginProjection, project } from '../src/record/history/projection.ts'
import { openReadModel } from '../src/record/history/read-model.ts'
import { ShownPrices } from '../src/record/history/shown-prices.ts'
import { EMPTY, type JournalRow, seal } from '../src/record/log/journal.ts'
import { Replica } from '../src/record/log/replica.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase } from './fixture.ts'

export const MINUTE = 60_000
export const NOON = 1_800_000_000_000
export const rain = id('rain')

/**
 * One row per line, with its minute after noon. Ann sells what she split, Bob takes it at two prices and by minting with Cid;
 * Dee trades with herself.
 */
export const STORY: [number, Command[]][] = [
  [
    0,
    [
      register('rain'),
      register('snow', { feeBps: 0 }),
      deposit('ann', 1000),
      deposit('bob', 1000),
      deposit('cid', 1000),
      deposit('dee', 1000),
    ],
  ],
  [1, [{ type: 'split', account: address('ann'), condition: rain, lots: 10_000, request: id('split') }]],
  [2, [place('a1', 'ann', 'SELL', 0, 55, 40), place('a2', 'ann', 'SELL', 0, 56, 10), place('c1', 'cid', 'BUY', 1, 45, 20)]],
  [3, [place('b1', 'bob', 'BUY', 0, 60, 65)]],
  [
    4,
    [
      place('d1', 'dee', 'BUY', 0, 50, 10, { condition: id('snow') }),
      place('d2', 'dee', 'BUY', 1, 50, 10, { condition: id('snow'), selfTrade: 'none' }),
    ],
  ],
  [1500, [place('b2', 'bob', 'SELL', 0, 40, 5), place('a3', 'ann', 'BUY', 0, 41, 5), place('b3', 'bob', 'SELL', 0, 40, 5)]],
  [1501, [{ type: 'cancel', account: address('ann'), orderId: id('a2') }, place('b4', 'bob', 'BUY', 0, 30, 10)]],
  [1502, [{ type: 'withdraw', account: address('cid'), amount: 5_000_000, ref: id('out') }]],
  [1503, [{ type: 'end_withdrawal', ref: id('out'), outcome: 'settled' }]],
  [
    1504,
    [
      { type: 'set_condition', condition: rain, mode: 'closed', grid: null, feeBps: null },
      { type: 'sweep', limit: 100 },
    ],
  ],
  [
    1505,
    [
      { type: 'resolve', condition: rain, weight: 10_000 },
      { type: 'redeem', account: address('bob'), condition: rain, request: id('redeem') },
    ],
  ],
]

/** The next row of a replica's journal. */
export function rowOf(replica: Replica, at: number, commands: readonly Command[]): JournalRow {
  const { seq, checksum } = replica.head
  return seal('main', {
    ...{ timeline: 1, epoch: 1, firstSeq: seq + 1, lastSeq: seq + commands.length, at },
    ...{ ...replica.state(), commands: Buffer.concat(commands.map(encodeCommand)), previousChecksum: checksum },
  })
}

/** Writes the story into a journal and into history, and opens that. */
export const tellStory = async (): Promise<ReturnType<typeof openReadModel>> => (await told(STORY)).history

/** Writes rows, each with its minute after noon, into a journal and into history, and opens that beside the exchange that they make. */
export async function told(rows: Iterable<[number, Command[]]>, patienceMs?: number) {
  const url = await clobDatabase()
  const replica = new Replica('main')
  const facts = new FactWriter('main')
  const shown = new ShownPrices(replica.exchange)
  await withConnection(url, async (client) => {
    await beginProjection(client, 'main')
    for (const [minute, commands] of rows) {
      const row = rowOf(replica, NOON + minute * MINUTE + 1234, commands)
      await client.query('insert into journal select * from json_populate_record(null::journal, $1)', [
        JSON.stringify({
          ...{ stream: 'main', first_seq: row.firstSeq, last_seq: row.lastSeq, timeline: 1, epoch: 1, at: row.at, rules: row.rules },
          ...{ applied_through: row.appliedThrough, digest: row.digest, commands: `\\x${Buffer.from(row.commands).toString('hex')}` },
          ...{ checksum: `\\x${row.checksum}`, previous_checksum: `\\x${row.previousChecksum}` },
        }),
      ])
      shown.before(row.at)
      const applied = replica.apply(row)
      shown.after(applied)
      facts.add(row, applied)
    }
    await project(client, 'main', EMPTY, replica.head, facts.take(), shown.take())
  })
  const { seq, at } = replica.head
  const progress = { projected: () => ({ seq, at }), reached: async (position: number) => position <= seq }
  const history = openReadModel(url, 'main', progress, patienceMs)
  return { url, history, exchange: replica.exchange }
}
