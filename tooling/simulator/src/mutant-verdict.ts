/** Exit codes of a mutant's process. */
export const VERDICT = { survived: 20, killed: 21, stale: 22 } as const
