import { setImmediate } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Site } from '../src/site/site.ts'
import { pacedManager } from './paced-queries.ts'
import { codeOf } from './races.ts'

type Call = (site: Site) => Promise<unknown>

/** A race of concurrent calls. */
export interface Race {
  /** Queries whose order matters: those that lock the shared rows, and writes under the lock. */
  shared: RegExp
  /** Prepares the data and returns the calls, which are all alike. */
  begin(): Promise<Call[]>
  /** Checks the outcome of each call: a code, or `passed`. */
  check(outcomes: string[]): unknown
}

/**
 * Runs a race in every possible order of its shared queries, each time from the start. A query is sent when those before it were answered or wait
 * for a lock. Returns the number of orders.
 */
export async function everyInterleaving(site: Site, { shared, begin, check }: Race): Promise<number> {
  const path: number[] = []
  for (let orders = 1; ; orders++) {
    const choices: number[] = []
    const outcomes = await run(site, await begin(), shared, (options) => {
      choices.push(options)
      path[choices.length - 1] ??= 0
      return path[choices.length - 1]!
    })
    await check(outcomes)
    path.length = choices.length
    while (path.length > 0 && path.at(-1)! + 1 >= choices[path.length - 1]!) path.pop()
    if (path.length === 0) return orders
    path[path.length - 1]!++
  }
}

/** Runs one order: `choose` gets the number of calls that could send their next query, and returns which one does. */
async function run(site: Site, calls: readonly Call[], shared: RegExp, choose: (options: number) => number): Promise<string[]> {
  const waiting = new Map<number, () => void>()
  const begun = new Set<number>()
  let unfinished = calls.length
  const paced = (em: EntityManager, call: number) =>
    pacedManager(em, async (sql) => {
      if (!shared.test(sql)) return
      await new Promise<void>((release) => waiting.set(call, release))
      begun.add(call)
    })
  /** Waits until every call waits for its turn or for a lock. */
  const still = async () => {
    for (;;) {
      await setImmediate()
      const moving = unfinished - waiting.size
      if (moving === 0) return
      const [locks] = (await site.em().execute(WAITING)) as [{ n: number }]
      if (locks.n === moving && moving === unfinished - waiting.size) return
    }
  }
  const ended = calls.map((call, index) =>
    call({ ...site, em: () => paced(site.em(), index) })
      .then(() => 'passed', codeOf)
      .finally(() => unfinished--),
  )
  for (await still(); unfinished > 0; await still()) {
    // Calls that have sent nothing yet are interchangeable.
    const fresh = [...waiting.keys()].filter((call) => !begun.has(call)).sort()
    const options = [...[...waiting.keys()].filter((call) => begun.has(call)).sort(), ...fresh.slice(0, 1)]
    const next = options[choose(options.length)]!
    const release = waiting.get(next)!
    waiting.delete(next)
    release()
  }
  return Promise.all(ended)
}

/** Connections waiting for a lock, exactly; their own reports of it are late. */
const WAITING = `
  select count(distinct pid)::int as n from pg_locks
  where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`
