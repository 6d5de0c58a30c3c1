import { LAST_CURSOR } from '@augury/wire/limits'
import type { ResumePoint } from '@augury/wire/subscriptions'
import type { AccountEvent } from '@augury/wire/user-stream'
import type { Member } from '../identity/viewer.ts'
import type { Site } from '../site.ts'
import { asRefusal } from '../trading/exchange-refusals.ts'

/** Milliseconds after which a quiet stream looks at the session again. */
const LOOK_MS = 10_000
/** Events that wait for a slow reader; one that is slower ends, and may come back. */
const PATIENCE = 10_000
/** Commands of one question to history. */
const PAGE = 500

/** All that one command did to the member's orders. */
export type MemberEvents = [AccountEvent, ...AccountEvent[]]

/** What a stream of events is opened with. */
export interface MemberEventsOptions {
  /** Reads the session again: asked before anything is handed out. */
  stillThere: () => Promise<boolean>
  signal: AbortSignal
  /** Up to where the reader knows everything; null for one who begins now. */
  from: ResumePoint | null
}

/** The member's orders and trades, every command once and in order, until the signal ends it or the session is no more. */
export async function* memberEvents(
  site: Site,
  member: Member,
  { stillThere, signal, from }: MemberEventsOptions,
): AsyncGenerator<MemberEvents, void, void> {
  let queue: AccountEvent[] = []
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const stopFollowing = site.accountFeeds.follow(member.address, (event) => {
    queue.push(event)
    if (queue.length > PATIENCE) stopFollowing() // until it reads, nothing else would bound what waits for it
    wake()
  })
  signal.addEventListener('abort', wake)
  let told = 0
  try {
    if (from) {
      for await (const missed of history(site, member, from)) {
        if (signal.aborted) return
        told = missed[0].seq
        yield missed
      }
    }
    while (!signal.aborted && queue.length <= PATIENCE) {
      const timer = setTimeout(wake, queue.length > 0 ? 0 : LOOK_MS)
      await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers<void>()
      if (signal.aborted || !(await stillThere())) return
      const heard = queue
      queue = []
      for (const events of byCommand(heard)) {
        if (events[0].seq <= told) continue
        told = events[0].seq
        yield events
      }
    }
  } finally {
    signal.removeEventListener('abort', wake)
    stopFollowing()
  }
}

/** What happened after a place; nothing after one of a history that was rewritten, as the epoch of what follows says. */
async function* history(site: Site, { address }: Member, from: ResumePoint): AsyncGenerator<MemberEvents, void, void> {
  try {
    const { exchange } = await site.exchange.watcher()
    for (let { epoch, position } = from; ; ) {
      const page = await exchange.listEvents({ query: { account: address, after: position, limit: PAGE } })
      if (position > 0 && page.after_epoch !== epoch) return
      yield* byCommand(page.data)
      if (page.next_cursor === LAST_CURSOR) return
      epoch = page.epoch
      position = page.seq
    }
  } catch (error) {
    throw asRefusal(error, false)
  }
}

const byCommand = (events: readonly AccountEvent[]): MemberEvents[] => [...Map.groupBy(events, ({ seq }) => seq).values()] as MemberEvents[]
