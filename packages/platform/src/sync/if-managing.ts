import { RefusedError } from '@augury/client/answer'

/**
 * The exchange as one who manages it; null where it does not count the deployment's wallet among those. Then members are not told what
 * only those may know, and no job is ill for it.
 */
export async function ifManaging<Exchange>(treasury: () => Promise<Exchange>): Promise<Exchange | null> {
  try {
    return await treasury()
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'insufficient_scope') return null
    throw error
  }
}
