import { matchedOutcome } from '@augury/search/match'
import type { Clause } from '@augury/search/read-search'
import type { Event, MatchedOutcome } from '@augury/wire/platform/event'

/** Outcomes whose name tells nothing. */
const PLAIN = new Set(['Yes', 'No'])

/** The outcome by whose name a search found an event; null when its title or its tags were enough. */
export function matchedOutcomeOf(clauses: readonly Clause[], { title, markets }: Event): MatchedOutcome | null {
  const named = markets.flatMap(({ condition_id, short_title, question, outcomes }) => [
    ...outcomes
      .filter(({ outcome_text }) => !PLAIN.has(outcome_text))
      .map(({ outcome_text, outcome_index, token_id }) => ({
        matched: { condition_id, outcome_index, token_id, name: outcome_text },
        names: [outcome_text],
      })),
    ...(markets.length === 1
      ? []
      : [
          {
            matched: { condition_id, outcome_index: 0, token_id: outcomes[0]!.token_id, name: short_title },
            names: [short_title, question],
          },
        ]),
  ])
  const place = matchedOutcome(
    clauses,
    title,
    named.map(({ names }) => names),
  )
  return named[place]?.matched ?? null
}
