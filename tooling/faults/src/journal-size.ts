import { setTimeout as wait } from 'node:timers/promises'
import { fillJournal } from '@augury/bench/service/journal-tape'
import { processorTime } from '@augury/bench/service/processor'
import { mixes } from '@augury/bench/tape'
import { migrateClob } from '@augury/domain/clob/database'
import { withConnection } from '@augury/testing/connection'
import { hostClock } from '@augury/venue/base/clock'
import { FOLDS } from '@augury/venue/record/history/folds'
import type { Head } from '@augury/venue/record/log/journal'
import { postgresSnapshots } from '@augury/venue/record/log/postgres-snapshots'
import type { Replica } from '@augury/venue/record/log/replica'
import { SNAPSHOT_EVERY, snapshotOf } from '@augury/venue/record/log/snapshots'
import type { Client } from 'pg'
import type { Fault } from './faults.ts'
import { Scene } from './scene.ts'
import { send } from './trader.ts'

const LEAST = 1000
/** The journal ends so many commands before the next snapshot, or the commands of the starts themselves would trigger it. */
const BEFORE_SNAPSHOT = 1000
const LOOK_MS = 200
/** Engine time of the journal: what the exchange remembers of the last ten minutes is as much as at this load. */
const PER_SECOND = 2000
/** Limit in processor time; elapsed time is only reported, as it depends on what else the machine does. */
const MOST_SECONDS = 5
/** How much longer a long journal may take than a short one. */
const SLOWER = 1.3

/** A program killed and restarted over journals from short to very long. */
export const journalSizes: readonly Fault[] = [
  {
    name: 'kill -9 over longer and longer journals',
    must: `killed at the worst moment, just before a snapshot, it accepts the next order after at most ${MOST_SECONDS} s of processor time, and over the longest journal within ${SLOWER} × of what it takes over the shortest`,
    async run(_, { commands, starts: times }) {
      const table: { size: number; made: number; megabytes: number; median: number; longest: number; processor: number }[] = []
      const wrong: string[] = []
      const sizes = [LEAST]
      while (sizes.at(-1)! * 10 <= commands) sizes.push(sizes.at(-1)! * 10)
      const scene = await Scene.open()
      try {
        for (const size of sizes) {
          await scene.kill()
          const begun = performance.now()
          let made = 0
          await scene.replace(async (databaseUrl) => {
            await makeJournal(databaseUrl, size)
            made = Math.round((performance.now() - begun) / 1000)
          })
          const starts = await restart(scene, size, times, wrong)
          const sorted = (of: (start: Start) => number) => starts.map(of).toSorted((a, b) => a - b)
          const elapsed = sorted(({ ms }) => ms)
          const [bytes] = await scene.query('select pg_database_size(current_database()) as size')
          table.push({
            size,
            made,
            megabytes: Math.round(Number(bytes!.size) / 1e6),
            median: middle(elapsed),
            longest: elapsed.at(-1)!,
            processor: middle(sorted(({ processor }) => processor)),
          })
        }
      } finally {
        await scene.close()
      }
      const [first, last] = [table[0]!, table.at(-1)!]
      if (Math.max(...table.map(({ processor }) => processor)) > MOST_SECONDS) wrong.push('it took too long')
      const slower = last.processor / first.processor
      if (slower > SLOWER)
        wrong.push(`over ${last.size} commands it took ${slower.toFixed(2)} × as much of the processor as over ${first.size}`)
      const facts = table
        .map(
          ({ size, made, megabytes, median, longest, processor }) =>
            `${size} commands ${median} ms (longest ${longest}; ${processor.toFixed(2)} s of the processor; ${megabytes} MB, made in ${made} s)`,
        )
        .join(', ')
      return { facts: `${times} starts each: ${facts}`, wrong, recovery: { median: last.median, longest: last.longest } }
    },
  },
]

/** From the start of the program to its first accepted order. */
interface Start {
  ms: number
  /** Processor seconds of all its threads. */
  processor: number
}

const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)]!

/**
 * The worst case for a restart: the next snapshot is about to be taken, so that the last one is as old as it gets. The journal is written
 * as a writer would, but without clients.
 */
async function makeJournal(databaseUrl: string, commands: number): Promise<void> {
  await migrateClob(databaseUrl)
  const pause = {
    after: commands - SNAPSHOT_EVERY + BEFORE_SNAPSHOT,
    look: (replica: Replica) =>
      withConnection(databaseUrl, async (client) => {
        await postgresSnapshots(client, 'main').save(await snapshotOf(replica, hostClock))
        await writeHistoryUntil(client, replica.head)
      }),
  }
  await fillJournal(databaseUrl, mixes.thin, commands, { perSecond: PER_SECOND, ...(commands < SNAPSHOT_EVERY ? {} : { pause }) })
}

/** Older facts are dropped: nothing here reads them. */
const writeHistoryUntil = (client: Client, { seq, at, checksum }: Head) =>
  client.query(
    `insert into projection (stream, projected_seq, folded_seq, folds_seq, folds, at, checksum) values ('main', $1, $1, $1, $2, $3, $4)`,
    [seq, FOLDS, at, Buffer.from(checksum, 'hex')],
  )

/** Waits until history has caught up, so that every start finds the same. */
async function wholeHistory(url: string): Promise<void> {
  for (;;) {
    const { seq, projected_seq, history } = (await send(url, 'GET', '/status')).body
    if (projected_seq >= seq) return
    if (history === 'stopped') throw new Error(`history stopped at ${projected_seq} of ${seq}`)
    await wait(LOOK_MS)
  }
}

/** Kills and starts the program repeatedly. */
async function restart(scene: Scene, commands: number, times: number, wrong: string[]): Promise<Start[]> {
  await wholeHistory(scene.writer.url)
  const trader = await scene.newcomer(1000)
  const starts: Start[] = []
  for (let n = 0; n < times; n++) {
    await scene.kill()
    const begun = performance.now()
    await scene.start()
    const order = { tokenId: scene.market.yes, side: 'BUY', orderType: 'GTC', price: '0.40', size: '5', clientOrderId: `${commands}-${n}` }
    const { status, body } = await trader.call(scene.writer.url, 'POST', '/order', order)
    starts.push({ ms: Math.round(performance.now() - begun), processor: processorTime(scene.writer.pid).all })
    if (status !== 200) wrong.push(`the first order over ${commands} commands was answered ${status} ${body.code}`)
    else if (body.seq <= commands) wrong.push(`over ${commands} commands the first order stands at ${body.seq}`)
  }
  return starts
}
