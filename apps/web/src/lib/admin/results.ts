import type { Output } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'

export type ResultMarket = Pick<
  Output<typeof adminEventOperations.adminEvent>['data']['markets'][number],
  'condition_id' | 'question' | 'short_title' | 'outcomes' | 'end_time' | 'is_resolved' | 'yes_pays' | 'resolution'
>

/** What a Yes share of all markets of an event pays together where exactly one wins, in steps of 0.0001. */
const WHOLE = 10_000

export const nameOfMarket = ({ short_title, question }: ResultMarket): string => short_title || question

/** What is proposed for a market, with the note that goes with it. */
export const proposalOf = ({ resolution }: ResultMarket) => resolution.steps.findLast(({ yes_pays }) => yes_pays !== null)

/** What a Yes share pays, as people say it. */
export function inWords(pays: number | null | undefined, outcomes: readonly string[]): string {
  if (pays == null) return '–'
  return pays === 1 ? outcomes[0]! : pays === 0 ? outcomes[1]! : `${outcomes[0]} pays $${pays}`
}

/** Markets that wait for an answer: a new one, where somebody objected to the first. */
export const isOpen = ({ is_resolved, resolution }: ResultMarket): boolean =>
  !is_resolved && (resolution.status === 'pending' || resolution.status === 'disputed')

const steps = (pays: number | null | undefined) => Math.round((pays ?? 0) * WHOLE)

/** What is promised already by markets that have a result, or a proposal that nobody objected to. */
const taken = (markets: readonly ResultMarket[]): readonly ResultMarket[] =>
  markets.filter((market) => !isOpen(market) && steps(market.yes_pays ?? proposalOf(market)?.yes_pays) > 0)
const promised = (market: ResultMarket) => steps(market.yes_pays ?? proposalOf(market)?.yes_pays)

/**
 * Why answers of an event of which exactly one wins cannot all be true; null where they can. Some may be answered before the others: who is
 * out is out.
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

/** Answers by which all that are open share alike what is left, to the step. */
export function shareAlike(markets: readonly ResultMarket[]): Record<string, string> {
  const open = markets.filter(isOpen)
  const left = WHOLE - taken(markets).reduce((sum, market) => sum + promised(market), 0)
  const each = Math.floor(left / open.length)
  return Object.fromEntries(
    open.map(({ condition_id }, i) => [condition_id, String((each + (i < left - each * open.length ? 1 : 0)) / WHOLE)]),
  )
}
