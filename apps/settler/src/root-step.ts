import type { Confirmed } from '@augury/chain/confirmed'
import { Halt } from '@augury/chain/node-error'
import { type RootReport, stepRoots } from '@augury/chain/roots'
import type { Round } from './round.ts'
import type { World } from './world.ts'

/** Milliseconds after which a quiet exchange gets its root again: well below the vault's seven days. */
const ROOT_EVERY = 20 * 3_600_000
/** Milliseconds between two roots that are cut in a sandbox because the last one does not fit, or because its chain lost something. */
const CUT_AGAIN = 2_000

/** Posts roots, and remembers between rounds why one is wanted. */
export interface RootStep {
  /** Posts the newest root, or has one cut where one is wanted. */
  post(world: World, at: Confirmed, round: Round): Promise<RootReport>
  /** Judges a root that does not fit: on a real chain it stops payments. */
  judge(world: World, round: Round): Promise<void>
  /** Whether the exchange owes something else than the vault expects: nothing is paid until a root fits again. */
  isOff(): boolean
  /** Notes whether withdrawals wait for a root that shows them. */
  want(is: boolean): void
}

/** Opens the step. */
export function openRootStep(): RootStep {
  let [cutAt, isOff, isWanted] = [0, false, false]
  /** Whether a sandbox's chain lost something since the last root: it gets a new one as soon as all is backed again. */
  let isHealing = false

  const isHealed = ({ clock }: World, { watched, outbox }: Round): boolean => {
    isHealing ||= (watched?.lost.length ?? 0) > 0
    if (!isHealing || outbox?.open !== 0 || clock.now() - cutAt < CUT_AGAIN) return false
    cutAt = clock.now()
    return true
  }
  return {
    async post(world, at, round) {
      const { nodes, vault, confirmation, agreeAbove, signer, outbox: store, source } = world
      const shared = { nodes, vault, confirmation, agreeAbove, operator: signer.address }
      const healed = isHealed(world, round)
      // A demand is answered by a root that is posted after it, also of an exchange where nothing happened since.
      const every = round.demands?.needsRoot ? 0 : ROOT_EVERY
      const report = await stepRoots({ ...shared, clock: chainClock(at), store, source, every }, at, isWanted || healed)
      if (report.queued !== null) isHealing = false
      return report
    },
    async judge({ isSandbox, clock, source }, { root, watched }) {
      if (!root || !watched) return
      if (!isSandbox) {
        if (root.waiting !== 'in_flight') isOff = root.waiting === 'custody'
        if (isOff) throw new Halt('vault_differs', root.detail ?? 'custody')
      } else if ((root.waiting === 'custody' || root.waiting === 'behind') && clock.now() - cutAt >= CUT_AGAIN) {
        // It was cut amid credits and settlements by hand.
        cutAt = clock.now()
        await source.cut()
      }
    },
    isOff: () => isOff,
    want(is) {
      isWanted = is
    },
  }
}

/** The time of the chain: deadlines of the vault count by it. */
const chainClock = ({ head }: Confirmed) => ({ now: () => head.at * 1000, sleep: async () => {} })
