import { test } from '@playwright/test'

/** Number of the Playwright worker that runs this, from 0. Scripts that borrow the journeys' steps are no test and count as the first. */
export function workerIndex(): number {
  try {
    return test.info().parallelIndex
  } catch {
    return 0
  }
}
