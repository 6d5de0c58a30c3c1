import type { MarketResolution } from '@augury/wire/platform/resolution'
import { money } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import { type EventView, isPaused, isSplit, type MarketView } from './event-view.ts'

/** Outcome of an event or a market after the end of trading. */
export interface Verdict {
  /** Whether the result is final; otherwise it is awaited. */
  final: boolean
  title: string
  /** Names of the winning markets, if the event has several. */
  winners: string[]
  /** Time of the final result, or by which one is expected; Unix milliseconds, null if unknown. */
  at: number | null
  about: string
}

const time = (iso: string | null | undefined) => (iso ? Date.parse(iso) : null)

/** The verdict on the selected market, or on the whole event if none is selected; null while it is open for trading. */
export function verdictOf(event: EventView, market: MarketView | null, resolution: MarketResolution | undefined): Verdict | null {
  const subject = market ?? (event.markets.length === 1 ? event.markets[0]! : null)
  if (subject) {
    if (subject.open) return null
    return subject.result === null ? waiting(resolution, subject.paused) : resultOf(event, subject, resolution)
  }
  if (event.status === 'active' || event.markets.length === 0) return null
  if (event.status !== 'resolved') return waiting(undefined, isPaused(event))
  const winners = event.markets.filter(({ result, outcomes }) => result === outcomes[0]).map(({ name }) => name)
  const shared = winners.length === 0 && event.markets.some(isSplit)
  const title = shared ? m.verdict_result({ result: m.result_split() }) : winners.length === 0 ? m.verdict_none() : m.verdict_winners()
  return { final: true, title, winners, at: event.resolvedAt, about: paid(shared) }
}

/** What shares pay in the end, in words. */
const paid = (shared: boolean) => (shared ? m.verdict_shared : m.verdict_paid)({ dollar: money(1) })

function waiting(resolution: MarketResolution | undefined, paused = false): Verdict {
  const status = resolution?.status
  // The deadline of a disputed proposal no longer applies.
  const at = status === 'disputed' || (paused && status !== 'proposed') ? null : time(resolution?.deadline_at)
  const [title, about] =
    status === 'disputed'
      ? [m.verdict_disputed(), m.verdict_disputed_about()]
      : status === 'proposed'
        ? [m.verdict_proposed(), m.verdict_proposed_about()]
        : paused
          ? [m.verdict_paused(), m.verdict_paused_about()]
          : [m.verdict_ended(), m.verdict_waits()]
  return { final: false, title, winners: [], at, about }
}

function resultOf(event: EventView, market: MarketView, resolution: MarketResolution | undefined): Verdict {
  const { name, result } = market
  const settled = resolution?.steps.findLast(({ step }) => step === 'settled')
  return {
    final: true,
    title: event.markets.length === 1 ? m.verdict_result({ result: result! }) : m.verdict_result_of({ name, result: result! }),
    winners: [],
    at: time(settled?.at) ?? event.resolvedAt,
    about: paid(isSplit(market)),
  }
}
