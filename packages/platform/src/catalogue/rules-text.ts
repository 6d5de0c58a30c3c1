/** What the rules of a market are composed from. */
export interface RulesFacts {
  question: string
  outcomes: readonly [string, string]
  endTime: Date
  /** The end on the listing, when it was moved. */
  listedEnd: Date | null
  /** Title of the event when exactly one of its markets wins. */
  exclusiveIn: string | null
}

/** A time as rules write it, without its zone, which is UTC. */
export const dayAndTime = (date: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(date)

/** Plain rules for a market that was listed without any. They say what is known, what was assumed, and who decides. */
export function composeRules({ question, outcomes: [yes, no], endTime, listedEnd, exclusiveIn }: RulesFacts): string {
  return [
    `This market asks: ${question}`,
    `It resolves to ${yes} if that has happened by ${dayAndTime(endTime)} UTC, and to ${no} otherwise. A winning share pays 1 USDC, a losing one nothing.`,
    exclusiveIn && `It is one of the markets of “${exclusiveIn}”, of which exactly one resolves to its first outcome.`,
    listedEnd &&
      `The listing ended on ${dayAndTime(listedEnd)} UTC. That day has passed, so the market was opened again with a later end, and the years that its texts name were moved with it.`,
    'The listing came without rules of its own: this text was composed from its question, outcomes and dates. What it leaves open is decided by the resolver named below.',
  ]
    .filter(Boolean)
    .join('\n\n')
}
