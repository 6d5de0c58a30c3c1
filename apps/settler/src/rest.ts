import type { Hex } from 'viem'
import type { Round } from './round.ts'
import type { World } from './world.ts'

/** Milliseconds after which a round is made in any case: it shows the status, and finds roots that the exchange cut by itself. */
const REST_MS = 10_000
/** Milliseconds between two looks at what members asked for and at the exchange's log. The chain's head is read each time. */
const LOOK_MS = 1_000

/** Whether a settler may skip its next round. */
export interface Rest {
  /** Notes what the settler knew before a round. */
  before(): Promise<void>
  /** Begins to rest, if the round found nothing to do and left nothing under way. */
  after(round: Round): void
  /** Whether nothing has changed since: neither the chain's head, nor what members asked for, nor the exchange's log. */
  lasts(): Promise<boolean>
}

/** Opens the rest of a settler. Where something cannot be read it does not rest: the round says why. */
export function openRest({ nodes, clock, accounts, platform }: World): Rest {
  let asked = ''
  let resting: { head: Hex; asked: string; rows: number; until: number; look: number } | null = null

  const askedNow = async (): Promise<string> => {
    const [{ mark }]: [{ mark: string }] = await platform.em().execute(
      `select concat_ws(' ', (select count(*) from withdrawal where status in ('approved', 'sent')), (select max(updated_at) from withdrawal), (select count(*) from chain.claim where holder = 'member'),
         (select count(*) from chain.wallet where state in ('asked', 'sent'))) as mark`,
    )
    return mark
  }
  const isSame = async (known: NonNullable<typeof resting>): Promise<boolean> => {
    const now = clock.now()
    if (now >= known.until || (await nodes.any.block('latest'))?.hash !== known.head) return false
    if (now < known.look) return true
    known.look = now + LOOK_MS
    if ((await askedNow()) !== known.asked) return false
    await accounts.refresh()
    return accounts.rowsRead() === known.rows
  }
  return {
    async before() {
      asked = await askedNow()
    },
    after(round) {
      const now = clock.now()
      resting =
        round.at && isIdle(round)
          ? { head: round.at.head.hash, asked, rows: accounts.rowsRead(), until: now + REST_MS, look: now + LOOK_MS }
          : null
    },
    async lasts() {
      if (resting && !(await isSame(resting).catch(() => false))) resting = null
      return resting !== null
    },
  }
}

/** Whether a round did nothing and waits for nothing that the next one could find. */
function isIdle({ troubles, halted, outbox, watched, paid, root, demands, lying, isSwept, status }: Round): boolean {
  if (troubles.length > 0 || halted || !outbox || !watched || !paid || !root || !status || !isSwept) return false
  if (demands?.needsRoot) return false
  const moved = outbox.open + outbox.reopened.length + watched.credited.length + watched.lost.length + lying.length
  const paying = paid.sent.length + paid.settled.length + paid.returned.length + paid.owed.length + paid.held.root
  const isRootDone = root.queued === null && (root.waiting === null || root.waiting === 'none_new')
  return moved + paying === 0 && isRootDone && watched.waiting === null && status.troubles.length === 0
}
