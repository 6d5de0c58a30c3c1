/** One kind of budget: `limit` calls in any `seconds`, counted per key. */
export interface Policy {
  name: string
  limit: number
  seconds: number
}

/** Where a key stands after a call. */
export interface Standing {
  allowed: boolean
  policy: Policy
  remaining: number
  /** Seconds, rounded up, until the oldest counted call leaves the window. */
  resetSeconds: number
}

/** The headers that tell a caller where it stands: the structured fields and the older three, and when to come back. */
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
