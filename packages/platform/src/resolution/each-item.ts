import { RefusedError } from '@augury/client/answer'
import { ServiceError } from '@augury/wire/service-error'
import { isAboutItems } from '../jobs/market-batches.ts'
import type { Run } from '../jobs/run-job.ts'

/**
 * Processes items one after the other while there is time. A refused item is recorded as a failure, does not stop the others, and is tried
 * again later; when the exchange does not answer, the run ends. `name` names an item among the failures.
 */
export async function eachItem(
  run: Run,
  items: readonly string[],
  act: (item: string) => Promise<void>,
  name: (item: string) => string = (item) => item,
): Promise<void> {
  const well: string[] = []
  for (const item of items) {
    if (!run.hasTime()) break
    if (run.waits(name(item))) continue
    try {
      await act(item)
      well.push(name(item))
    } catch (error) {
      if (!isOfItem(error)) throw error
      run.fail(name(item), error)
    }
  }
  if (items.length > 0) await run.step(null, async () => {}, well)
}

const isOfItem = (error: unknown) =>
  error instanceof ServiceError || isAboutItems(error) || (error instanceof RefusedError && error.code === 'condition_not_owned')
