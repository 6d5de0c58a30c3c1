import { setTimeout as wait } from 'node:timers/promises'
import type { Load } from './load.ts'
import type { Scene } from './scene.ts'

/** How much of each fault to run: `quick` is short enough for every test run. */
export interface Scale {
  kills: number
  takeovers: number
  databaseSeconds: number
  cuts: number
  /** Rounds over a bad network. */
  lines: number
  /** Rounds of cancels against matches, of orders that compete for one balance, and of withdrawals against matches. */
  races: number
  spenders: number
  withdrawals: number
  /** How often the disk is full. */
  fillings: number
  /** The longest journal to restart over, and how often over each. */
  commands: number
  starts: number
  /** Slow clients of each kind. */
  slow: number
  /** How long those who trade beside something long rest after an order, in milliseconds: what they said is all asked again. */
  restMs: number
  /** Seconds for each way in which the shared cache fails. */
  redisSeconds: number
  /** How often streams are cut. */
  resumes: number
  /** Kills of the settler, re-organisations under it, and how often each other trouble of its chain happens. */
  settlerKills: number
  reorganisations: number
  chainTroubles: number
  /** Sockets at once, and for how many seconds. */
  sockets: number
  socketSeconds: number
}
export const quick: Scale = {
  kills: 3,
  takeovers: 1,
  databaseSeconds: 2,
  cuts: 5,
  lines: 1,
  fillings: 1,
  commands: 1000,
  starts: 3,
  slow: 20,
  restMs: 100,
  redisSeconds: 2,
  races: 240,
  spenders: 500,
  withdrawals: 20,
  resumes: 20,
  settlerKills: 24,
  reorganisations: 3,
  chainTroubles: 1,
  sockets: 60,
  socketSeconds: 6,
}
export const full: Scale = {
  kills: 200,
  takeovers: 20,
  databaseSeconds: 20,
  cuts: 200,
  lines: 50,
  fillings: 10,
  commands: 10_000_000,
  starts: 5,
  slow: 500,
  restMs: 0,
  redisSeconds: 20,
  races: 100_000,
  spenders: 500,
  withdrawals: 10_000,
  resumes: 1000,
  settlerKills: 1000,
  reorganisations: 200,
  chainTroubles: 5,
  sockets: 5000,
  socketSeconds: 120,
}

/** The observations of a fault, and what should not have happened. */
export interface Seen {
  facts: string
  wrong: string[]
  /** Lost acknowledged orders and acknowledged orders in total, where a load was run. */
  lost?: { orders: number; of: number }
  /** Milliseconds until the first new acknowledgement. */
  recovery?: { median: number; longest: number }
}

/** Something that fails under load, and what must hold meanwhile. */
export interface Fault {
  name: string
  /** Its name, a sentence. */
  must: string
  run(scene: Scene, scale: Scale): Promise<Seen>
}

/** Compares what the clients of a load know with what the exchange says now. */
export async function settle(scene: Scene, load: Load): Promise<string[]> {
  await load.stop()
  return load.check(scene.writer.url)
}

/** Totals of several loads, for one sentence. */
export class Tally {
  #acknowledged = 0
  #lost = 0
  #refused = 0
  readonly #recoveries: number[] = []
  readonly wrong: string[] = []

  add(load: Load, wrong: string[], recovery: number): void {
    this.#acknowledged += load.acknowledged
    this.#lost += load.lost
    this.#refused += load.refused
    this.#recoveries.push(recovery)
    this.wrong.push(...wrong)
  }

  seen(what: string): Seen {
    const sorted = this.#recoveries.toSorted((a, b) => a - b)
    const recovery = { median: sorted[Math.floor(sorted.length / 2)]!, longest: sorted.at(-1)! }
    const facts = `${what}: ${this.#acknowledged} acknowledged, ${this.#refused} refused; first new acknowledgement after ${recovery.median} ms (median), ${recovery.longest} ms (longest)`
    const lost = { orders: this.#lost, of: this.#acknowledged }
    return { facts, lost, recovery, wrong: this.#acknowledged > 0 && this.#refused > 0 ? this.wrong : ['there was no load', ...this.wrong] }
  }
}

/** Checks that epochs follow one another and each row its predecessor: no two writers wrote at once. */
export async function oneChain(scene: Scene): Promise<string[]> {
  const [{ broken }] = (await scene.query(`
    select count(*)::int as broken from (
      select previous_checksum, epoch, first_seq, lag(checksum) over w as before, lag(epoch) over w as epoch_before, lag(last_seq) over w as last_before
      from journal window w as (order by first_seq)
    ) row where before <> previous_checksum or epoch < epoch_before or first_seq <> last_before + 1`)) as [{ broken: number }]
  return broken === 0 ? [] : [`${broken} rows do not follow from the ones before`]
}

/**
 * Kills the writer and waits until the standby continues with its load, which is counted; then restores the state before the standby was
 * started.
 */
export async function dieBesideStandby(scene: Scene, load: Load, tally: Tally): Promise<void> {
  await scene.kill()
  const recovery = await load.recovered()
  scene.promoted()
  tally.add(load, await settle(scene, load), recovery)
  await scene.kill()
  await scene.start()
}

/** Faults of programs and of the database. */
export const faults: readonly Fault[] = [
  {
    name: 'kill -9 of the writer',
    must: 'started again, it has every order that it acknowledged and none that it refused, and asked again it says the same',
    async run(scene, { kills }) {
      const tally = new Tally()
      for (let round = 0; round < kills; round++) {
        const load = await scene.trade()
        await wait(300 + (round % 5) * 70)
        await scene.kill()
        const recovering = load.recovered()
        await scene.start()
        const recovery = await recovering
        tally.add(load, await settle(scene, load), recovery)
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${kills} times`)
    },
  },
  {
    name: 'the database stops as in a crash, and comes back',
    must: 'every answer is true, waiting requests get a retryable refusal, and trading resumes by itself',
    async run(scene, { databaseSeconds }) {
      const tally = new Tally()
      for (const mode of ['immediate', 'fast'] as const) {
        const load = await scene.trade()
        await wait(300)
        await scene.postgres.stop(mode)
        await wait(databaseSeconds * 1000)
        const recovering = load.recovered()
        await scene.postgres.start()
        const recovery = await recovering
        tally.add(load, await settle(scene, load), recovery)
      }
      return tally.seen(`twice, for ${databaseSeconds} s`)
    },
  },
  {
    name: 'connections to the database are cut',
    must: 'every verdict stands, also of what was being committed',
    async run(scene, { cuts }) {
      const tally = new Tally()
      const load = await scene.trade()
      for (let cut = 0; cut < cuts; cut++) {
        await wait(100 + (cut % 7) * 20)
        await scene.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'augury %'`)
      }
      const recovery = await load.recovered()
      tally.add(load, [...(await settle(scene, load)), ...(await oneChain(scene))], recovery)
      return tally.seen(`${cuts} times all of them`)
    },
  },
  {
    name: 'the writer drains under load (SIGTERM)',
    must: 'everything let in is answered, and the next one goes on behind it with a snapshot in hand',
    async run(scene) {
      const tally = new Tally()
      const load = await scene.trade()
      await wait(500)
      const { output } = scene.writer
      const code = await scene.writer.stop('SIGTERM')
      const [{ behind }] = (await scene.query(
        'select (select max(last_seq) from journal) - (select max(seq) from snapshot) as behind',
      )) as [{ behind: string }]
      const wrong = [
        ...(code === 0 ? [] : [`it ended with ${code}: ${output()}`]),
        ...(behind === '0' ? [] : [`the snapshot lacks ${behind}`]),
      ]
      const recovering = load.recovered()
      await scene.start()
      const recovery = await recovering
      tally.add(load, [...wrong, ...(await settle(scene, load))], recovery)
      return tally.seen('once')
    },
  },
  {
    name: 'kill -9 of the writer beside a standby',
    must: 'the standby goes on with every acknowledged order and no refused one; the two never write at once',
    async run(scene, { takeovers }) {
      const tally = new Tally()
      for (let round = 0; round < takeovers; round++) {
        await scene.startStandby()
        const load = await scene.trade()
        await wait(500 + (round % 5) * 70)
        await dieBesideStandby(scene, load, tally)
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${takeovers} takeovers`)
    },
  },
  {
    name: 'the writer is frozen beside a standby, and wakes up when that has taken over',
    must: 'it has lost the right to write, says of nothing that it happened, and ends by itself',
    async run(scene, { takeovers }) {
      const tally = new Tally()
      for (let round = 0; round < takeovers; round++) {
        await scene.startStandby()
        const load = await scene.trade()
        await wait(500)
        const frozen = scene.writer
        process.kill(frozen.pid, 'SIGSTOP')
        const recovery = await load.recovered()
        process.kill(frozen.pid, 'SIGCONT')
        const code = await frozen.ended
        scene.promoted()
        const wrong = await settle(scene, load)
        tally.add(load, code === 1 ? wrong : [`it ended with ${code}: ${frozen.output()}`, ...wrong], recovery)
        await scene.kill()
        await scene.start()
      }
      tally.wrong.push(...(await oneChain(scene)))
      return tally.seen(`${takeovers} times`)
    },
  },
]
