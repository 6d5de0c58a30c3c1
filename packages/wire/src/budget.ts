/** A rate limit: `limit` calls in any `seconds`, counted by key. */
export interface Policy {
  name: string
  limit: number
  seconds: number
}

/** State of a key's budget after a call. */
export interface Standing {
  allowed: boolean
  policy: Policy
  remaining: number
  /** Seconds, rounded up, until the oldest counted call leaves the window. */
  resetSeconds: number
}

/** The rate-limit headers of a response: the structured fields, the older three, and Retry-After when refused. */
export function budgetHeaders({ allowed, policy, remaining, resetSeconds }: Standing): Record<string, string> {
  return {
    'RateLimit-Policy': `"${policy.name}";q=${policy.limit};w=${policy.seconds}`,
    RateLimit: `"${policy.name}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Limit': String(policy.limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
    ...(allowed ? {} : { 'Retry-After': String(Math.max(1, resetSeconds)) }),
  }
}

const NAMES = ['RateLimit-Policy', 'RateLimit', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** Picks the rate-limit headers of a response, to forward them; empty when it has none. */
export const pickBudgetHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
