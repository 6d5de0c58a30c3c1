import { wallClock } from '@augury/chain/wall-clock'
import type { Platform } from '@augury/platform/site/platform'
import type { SettlerSettings } from '@augury/settings/env'
import type { Logger } from 'pino'
import { LeaseLost, openLease } from './lease.ts'
import type { Metrics } from './metrics.ts'
import { needsOf, openWorld } from './open-world.ts'
import { openRest, type Rest } from './rest.ts'
import { openRounds, type Round } from './round.ts'

/** Milliseconds between two looks while it rests: a deposit waits that much longer at most. */
const RESTING = { sandbox: 500, production: 4_000 }
/** Milliseconds between two rounds, and the longest pause while they fail. */
const EVERY = { sandbox: 300, production: 4_000 }
const LONGEST = { sandbox: 1_500, production: 30_000 }
/** Milliseconds without a good round after which a settler is ill. */
const ILL_AFTER = 60_000

/** A settler that runs. */
export interface Settler {
  health(): { status: 'ok' | 'halted' | 'ill'; active: boolean; halted: unknown; troubles: unknown }
  /** Ends after the step that runs, and gives up the lease. */
  stop(): Promise<void>
}

/** Runs rounds while this process has the lease, and waits for it otherwise. Throws SettingsError where something is missing. */
export function startSettler(settings: SettlerSettings, platform: Platform, holder: string, log: Logger, metrics: Metrics): Settler {
  const needs = needsOf(settings)
  const ending = new AbortController()
  const lease = openLease(platform, holder)
  const [pause, resting, longest] = [EVERY[settings.mode], RESTING[settings.mode], LONGEST[settings.mode]]
  let [isActive, isResting, goodAt, failures] = [false, false, performance.now(), 0]
  const tell = teller(log)
  let last: Round | null = null
  let opened: { round: () => Promise<Round>; rest: Rest } | null = null

  const activeNow = (is: boolean) => {
    if (is !== isActive) log.info(is ? 'this settler is the active one' : 'another settler is the active one')
    isActive = is
    metrics.onLease(is)
  }
  async function open() {
    const world = await openWorld(settings, needs, platform, lease.fenced)
    return { round: openRounds(world, lease.keep, ending.signal), rest: openRest(world) }
  }
  async function once(): Promise<boolean> {
    try {
      if (!(await lease.keep())) {
        activeNow(false)
        opened = null // what another settler wrote is read anew
        return true
      }
      activeNow(true)
      opened ??= await open()
      isResting = await opened.rest.lasts()
      if (isResting) return true
      await opened.rest.before()
      last = await opened.round()
      opened.rest.after(last)
      metrics.onRound(last, Date.now())
      tell(last)
      return last.troubles.length === 0 && last.halted === null
    } catch (error) {
      if (error instanceof LeaseLost) opened = null
      log.error({ err: error }, 'a round failed')
      return false
    }
  }
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      const isGood = await once()
      if (isGood) goodAt = performance.now()
      failures = isGood ? 0 : failures + 1
      await wallClock.sleep(Math.min((isResting ? resting : pause) * 2 ** Math.min(failures, 10), longest), ending.signal)
    }
    await lease.release().catch((error) => log.warn({ err: error }, 'the lease was not given up: it runs out by itself'))
  }
  const running = run()
  return {
    health: () => ({
      status: last?.halted ? 'halted' : performance.now() - goodAt > ILL_AFTER ? 'ill' : 'ok',
      active: isActive,
      halted: last?.halted ?? null,
      troubles: last?.troubles ?? [],
    }),
    async stop() {
      ending.abort()
      await running
    },
  }
}

/** Makes the function that logs what a round did, and troubles when they change. */
function teller(log: Logger): (round: Round) => void {
  let said = ''
  return ({ troubles, halted, watched, paid, root }) => {
    const words = JSON.stringify([halted, troubles])
    if (words !== said && halted) log.error({ halted, troubles }, 'payments are stopped')
    else if (words !== said && troubles.length > 0) log.warn({ troubles }, 'steps failed')
    said = words
    const done = {
      credited: watched?.credited.map(({ n }) => n) ?? [],
      lost: watched?.lost.map(({ n }) => n) ?? [],
      paid: paid?.sent.map(({ name }) => name) ?? [],
      settled: paid?.settled ?? [],
      returned: paid?.returned ?? [],
      root: root?.queued ?? null,
    }
    if (done.root !== null || [done.credited, done.lost, done.paid, done.settled, done.returned].some(({ length }) => length > 0))
      log.info(done, 'round')
  }
}
