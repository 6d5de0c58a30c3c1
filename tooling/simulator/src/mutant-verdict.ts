/** Exit codes by which the process of a mutant tells what became of it. */
export const VERDICT = { survived: 20, killed: 21, stale: 22 } as const
