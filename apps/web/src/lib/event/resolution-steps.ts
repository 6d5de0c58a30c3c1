import type { MarketResolution } from '@augury/wire/platform/resolution'
import { money } from '#lib/language/numbers.ts'
import { moment } from '#lib/language/times.ts'
import { m } from '#lib/paraglide/messages.js'
import { type EventView, isSplit, type MarketView } from './event-view.ts'

/** A step of the resolution: done, current or ahead. */
export interface Station {
  name: string
  about: string
  /** Unix milliseconds; null if it has no time yet. */
  at: number | null
  state: 'past' | 'now' | 'ahead'
}

/** The steps from the opening of a market to its payout, as texts. */
export function stations(event: EventView, market: MarketView, resolution: MarketResolution | undefined, now: number): Station[] {
  const steps = resolution?.steps ?? []
  const last = (name: string) => steps.findLast(({ step }) => step === name)
  const early = market.endsAt > now && !market.open && !market.paused
  const ended = market.endsAt <= now || early
  const proposed = resolution && resolution.status !== 'pending' ? last('proposed') : undefined
  const disputed = resolution?.status === 'disputed' ? last('disputed') : undefined
  const confirmed = last('confirmed')
  const final = market.result !== null || last('settled') !== undefined
  const paid = last('paid')
  const way = [
    { name: m.timeline_opened(), about: '', at: event.startsAt, done: true },
    {
      name: ended ? m.timeline_ended() : m.timeline_ends(),
      about: '',
      at: early ? timeOf(last('closed')?.at) : market.endsAt,
      done: ended,
    },
    {
      name: m.timeline_propose(),
      about: proposed ? proposal(market, proposed) : m.timeline_propose_about(),
      at: timeOf(proposed?.at),
      done: proposed !== undefined || final,
    },
    {
      ...objections(disputed, final ? undefined : proposed?.deadline_at),
      done: (disputed ?? confirmed) !== undefined || final,
    },
    {
      name: m.timeline_final(),
      about: final
        ? confirmed?.yes_pays == null
          ? (market.result ?? '')
          : m.timeline_final_pays(payment(market, confirmed.yes_pays))
        : resolution?.deadline_at && !disputed
          ? m.timeline_deadline({ time: moment(Date.parse(resolution.deadline_at)) })
          : '',
      at: timeOf(last('settled')?.at ?? confirmed?.at) ?? (final ? event.resolvedAt : null),
      done: final,
    },
    { ...payout(market), at: timeOf(paid?.at), done: paid !== undefined },
  ]
  const standing = way.findLastIndex(({ done }) => done)
  return way.map(({ name, about, at }, i) => ({ name, about, at, state: i < standing ? 'past' : i === standing ? 'now' : 'ahead' }))
}

type Step = MarketResolution['steps'][number]

/** Text of a proposal and its note. */
const proposal = (market: MarketView, { yes_pays, note }: Step): string =>
  [yes_pays === null ? '' : m.timeline_proposed_pays(payment(market, yes_pays)), note].join(' ').trim()

/** Text of a payout, for the outcome that is paid. */
const payment = ({ outcomes }: MarketView, yesPays: number) =>
  yesPays === 0 ? { outcome: outcomes[1], money: money(1) } : { outcome: outcomes[0], money: money(yesPays) }

/** The payout, of winners or, where both sides share, of everybody. */
const payout = (market: MarketView) =>
  isSplit(market)
    ? { name: m.timeline_shared(), about: m.timeline_shared_about({ dollar: money(1) }) }
    : { name: m.timeline_paid(), about: m.timeline_paid_about({ dollar: money(1) }) }

/** Text of a dispute, or of the time in which there may be one. */
const objections = (disputed: Step | undefined, until: string | null | undefined) =>
  disputed
    ? { name: m.step_disputed(), about: disputed.note, at: timeOf(disputed.at) }
    : {
        name: m.timeline_dispute(),
        about: until ? m.timeline_dispute_until({ time: moment(Date.parse(until)) }) : m.timeline_dispute_about(),
        at: null,
      }

const timeOf = (iso: string | undefined): number | null => (iso === undefined ? null : Date.parse(iso))
