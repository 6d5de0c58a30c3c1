import { LAST_CURSOR } from '@augury/wire/limits'
import { type ResumePoint, resumeIdOf } from '@augury/wire/subscriptions'
import type { AccountEvent } from '@augury/wire/user-stream'
import type { Member } from '../authorization/viewer.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import type { Site } from '../site/site.ts'

/** How often a quiet stream checks its session. */
const LOOK_MS = 10_000
/** Events queued for a slow reader; beyond this the stream ends, and the reader may reconnect. */
const PATIENCE = 10_000
/** Commands per request to history. */
const PAGE = 500

/** Everything that one command did to the member's orders. */
export type MemberEvents = [AccountEvent, ...AccountEvent[]]

/** How a stream of events is opened. */
export interface MemberEventsOptions {
  /** Reads the session again; called before anything is sent. */
  stillThere: () => Promise<boolean>
  signal: AbortSignal
  /** The position up to which the reader has everything; null to begin now. */
  from: ResumePoint | null
}

/** Yields the member's orders and trades, every command once and in order, until the signal or the end of the session. */
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
    if (queue.length > PATIENCE) stopFollowing() // bounds the queue while nothing is read
    wake()
  })
  signal.addEventListener('abort', wake)
  /** The last command that was sent. A timeline that begins after a backup was restored has other commands at positions up to this one. */
  let told = { epoch: 0, seq: 0 }
  const isTold = ([{ epoch, seq }]: MemberEvents) => epoch < told.epoch || (epoch === told.epoch && seq <= told.seq)
  try {
    if (from) {
      for await (const missed of history(site, member, from)) {
        if (signal.aborted) return
        told = missed[0]
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
        if (isTold(events)) continue
        told = events[0]
        yield events
      }
    }
  } finally {
    signal.removeEventListener('abort', wake)
    stopFollowing()
  }
}

/** Yields what happened after a position; nothing when it is on another timeline, which the epoch of the following events tells. */
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

const byCommand = (events: readonly AccountEvent[]): MemberEvents[] =>
  [...Map.groupBy(events, ({ epoch, seq: position }) => resumeIdOf({ epoch, position })).values()] as MemberEvents[]
