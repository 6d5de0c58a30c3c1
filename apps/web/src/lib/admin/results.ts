import type { Output } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'

export type ResultMarket = Pick<
  Output<typeof adminEventOperations.adminEvent>['data']['markets'][number],
  'condition_id' | 'question' | 'short_title' | 'outcomes' | 'end_time' | 'is_resolved' | 'yes_pays' | 'resolution'
>

/** Sum of the Yes payouts of an event of which exactly one market wins, in steps of 0.0001. */
const WHOLE = 10_000

export const nameOfMarket = ({ short_title, question }: ResultMarket): string => short_title || question

/** The proposal for a market, with its note. */
export const proposalOf = ({ resolution }: ResultMarket) => resolution.steps.findLast(({ yes_pays }) => yes_pays !== null)

/** A payout of Yes as text. */
export function inWords(pays: number | null | undefined, outcomes: readonly string[]): string {
  if (pays == null) return '–'
  return pays === 1 ? outcomes[0]! : pays === 0 ? outcomes[1]! : `${outcomes[0]} pays $${pays}`
}

/** Whether a market needs an answer: it has none, or the proposal was disputed. */
export const isOpen = ({ is_resolved, resolution }: ResultMarket): boolean =>
  !is_resolved && (resolution.status === 'pending' || resolution.status === 'disputed')

const steps = (pays: number | null | undefined) => Math.round((pays ?? 0) * WHOLE)

/** Markets with a result or an undisputed proposal. */
const taken = (markets: readonly ResultMarket[]): readonly ResultMarket[] =>
  markets.filter((market) => !isOpen(market) && steps(market.yes_pays ?? proposalOf(market)?.yes_pays) > 0)
const promised = (market: ResultMarket) => steps(market.yes_pays ?? proposalOf(market)?.yes_pays)

/**
 * Why the answers of an event of which exactly one market wins contradict each other; null if they do not. Some markets may be answered before
 * others.
 */
export function contradiction(markets: readonly ResultMarket[], answers: Readonly<Record<string, string>>): string | null {
  const open = markets.filter(isOpen)
  const said = open.map(({ condition_id }) => answers[condition_id] ?? '').filter((answer) => answer !== '')
  if (said.length === 0) return null
  const before = taken(markets)
  const total = [...said.map((answer) => steps(Number(answer))), ...before.map(promised)].reduce((sum, pays) => sum + pays, 0)
  if (total > WHOLE) {
    const names = before.map((market) => `“${nameOfMarket(market)}”`).join(', ')
    return before.length === 0
      ? 'Exactly one wins here: answer Yes for one of them.'
      : `Exactly one wins here, and ${names} is said to already. Object to that first, or answer No here.`
  }
  if (said.length === open.length && total < WHOLE)
    return 'Exactly one wins here, and by these answers none does. Answer Yes for one, leave open what is not known, or let all share alike.'
  return null
}

/** Answers that split the remaining payout equally among the open markets, to the step. */
export function shareAlike(markets: readonly ResultMarket[]): Record<string, string> {
  const open = markets.filter(isOpen)
  const left = WHOLE - taken(markets).reduce((sum, market) => sum + promised(market), 0)
  const each = Math.floor(left / open.length)
  return Object.fromEntries(
    open.map(({ condition_id }, i) => [condition_id, String((each + (i < left - each * open.length ? 1 : 0)) / WHOLE)]),
  )
}
