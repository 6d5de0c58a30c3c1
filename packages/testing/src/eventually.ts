import { vi } from 'vitest'

/** Retries a check until it passes, and returns its result. Throws its last error after a minute: slow is not wrong on a busy machine. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 })
