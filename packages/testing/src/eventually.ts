import { vi } from 'vitest'

/**
 * Tries a check until it passes, and answers what it does; throws its last error when a minute was not enough. What a busy machine
 * does late is not wrong.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 })
