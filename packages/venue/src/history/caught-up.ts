import { ServiceError } from '@augury/wire/service-error'
import type { Context } from '../context.ts'

/**
 * Waits until history has what was done before it was asked, so that everybody reads what they have just done. Nobody is refused because it
 * is behind: then they are told as far as it goes.
 */
export async function caughtUp({ venue, exchange }: Pick<Context, 'venue' | 'exchange'>): Promise<void> {
  await venue.readModel.waitFor(exchange.seq).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.code === 'read_model_lagging')) throw error
  })
}
