import { migratePlatform } from '@augury/domain/platform/database'
import { type Child, startChild } from '@augury/testing/child-process'
import { query } from '@augury/testing/connection'
import { freePort } from '@augury/testing/free-port'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import type { Row } from '../row.ts'
import { fillCatalogue } from '../service/full-catalogue.ts'

/** Jobs that go around all markets, and those that have ended where only these are looked at. */
const JOBS = ['events', 'volume', 'prices', 'books', 'charts', 'resolution']
/** Markets beyond one an event in a full catalogue, and those that ended and wait for their result. */
const FURTHER = 4_800
const ENDED = 5_000

interface Told {
  result: { success: boolean; errors?: number; error?: string; scanned?: number }
  seconds: number
  cpu: number
  mebibytes: number
}

/** One run of each job over many markets, every one of which has changed. */
export const syncRuns: Row = {
  id: '24',
  work: 'a run of each sync job over 100 000 markets that all changed',
  target: '< 60 s and ≤ 300 MiB each',
  async measure({ quick }) {
    const events = quick ? 5_200 : 95_200
    const postgres = await startThrowawayServer({ durable: true })
    const children: Child[] = []
    const start = (script: string, ...args: string[]) => {
      const child = startChild(process.execPath, ['--max-semi-space-size=4', `${import.meta.dirname}/../service/${script}`, ...args])
      children.push(child)
      return child
    }
    try {
      const url = postgres.url('postgres')
      await migratePlatform(url)
      await fillCatalogue(url, events)
      await end(url)
      const port = String(await freePort())
      await start('sync-exchange.ts', url, port).waitFor(/listening/)
      const told = new Map<string, Told>()
      for (const job of JOBS) {
        const [line] = await start('sync-runner.ts', url, `http://127.0.0.1:${port}`, job).waitFor(/^\{.*\}$/m)
        const one: Told = JSON.parse(line)
        if (!one.result.success || one.result.errors) throw new Error(`${job}: ${line}`)
        told.set(job, one)
      }
      const all = [...told.values()]
      return {
        figures: [...told].map(([name, { seconds }]) => ({ name, value: seconds, unit: 's' })),
        met: all.every(({ seconds, mebibytes }) => seconds < 60 && mebibytes <= 300),
        note: `${[...told]
          .map(
            ([name, { cpu, mebibytes, result }]) =>
              `${name}: ${result.scanned} markets, ${cpu.toFixed(1)} s of its processor, ${mebibytes.toFixed(0)} MiB`,
          )
          .join('; ')}; ${events + FURTHER} markets, ${ENDED} of them ended`,
      }
    } finally {
      for (const child of children) await child.stop()
      await postgres.remove()
    }
  },
}

const end = (databaseUrl: string) =>
  query(
    databaseUrl,
    `update market set is_active = false where condition_id in (select condition_id from market order by condition_id limit ${ENDED})`,
  )
