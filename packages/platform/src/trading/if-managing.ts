import { RefusedError } from '@augury/client/answer'

/**
 * The exchange as one of its managers; null where it does not list the deployment's wallet as one. Then what only managers may read is left
 * out, and no job fails for it.
 */
export async function ifManaging<Exchange>(treasury: () => Promise<Exchange>): Promise<Exchange | null> {
  try {
    return await treasury()
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'insufficient_scope') return null
    throw error
  }
}
