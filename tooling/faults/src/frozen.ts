import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { dieBesideStandby, type Fault, oneChain, settle, Tally } from './faults.ts'
import type { Scene } from './scene.ts'

/** Longer than a writer waits for a commit: it opens another connection meanwhile. */
const DATABASE_MS = 6000
/** Longer than a lease. */
const STANDBY_MS = 4000

/** Frozen processes stop in the middle of whatever they do, keep their locks and connections, and are silent until they resume. */
export const frozen: readonly Fault[] = [
  {
    name: 'the database is frozen, all of it or only what carries the journal',
    must: 'nothing is said that is not so, what was being committed is answered as it ended, and trading goes on by itself',
    async run(scene, { lines: rounds }) {
      const tally = new Tally()
      for (let round = 0; round < rounds; round++) {
        const load = await scene.trade()
        await wait(500)
        const pids = round % 2 === 0 ? everyProcess(scene) : await journalBackend(scene)
        await whileFrozen(pids, () => wait(DATABASE_MS))
        const recovery = await load.recovered()
        tally.add(load, await settle(scene, load), recovery)
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${rounds} times`)
    },
  },
  {
    name: 'the standby is frozen, and wakes up beside the writer that it follows',
    must: 'no process ends and no lease is taken; it catches up, and takes over when the writer dies',
    async run(scene, { lines: rounds, restMs }) {
      const tally = new Tally()
      for (let round = 0; round < rounds; round++) {
        const standby = await scene.startStandby()
        const load = await scene.trade(restMs)
        await whileFrozen([standby.pid], () => wait(STANDBY_MS))
        await load.recovered()
        await dieBesideStandby(scene, load, tally)
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${rounds} times`)
    },
  },
]

/** Runs something while processes are frozen. They are resumed whatever happens. */
async function whileFrozen(pids: readonly number[], work: () => Promise<void>): Promise<void> {
  try {
    signal(pids, 'SIGSTOP')
    await work()
  } finally {
    signal(pids, 'SIGCONT')
  }
}

function signal(pids: readonly number[], what: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, what)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended meanwhile
    }
  }
}

function everyProcess({ postgres }: Scene): number[] {
  const parent = postgres.pid()!
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' })
  return [parent, ...children.trim().split(/\s+/).map(Number)]
}

async function journalBackend(scene: Scene): Promise<number[]> {
  const rows = await scene.query(`select pid from pg_stat_activity where application_name like 'augury journal%'`)
  return rows.map(({ pid }) => pid as number)
}
