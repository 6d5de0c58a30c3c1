import { ServiceError } from '@augury/wire/service-error'
import type { Context } from './context.ts'

/**
 * Waits until history includes everything applied so far, so that callers read their own writes. When history lags, returns anyway: the
 * answer is then as of where history stands.
 */
export async function caughtUp({ venue, exchange }: Pick<Context, 'venue' | 'exchange'>): Promise<void> {
  await venue.readModel.waitFor(exchange.seq).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.code === 'read_model_lagging')) throw error
  })
}
