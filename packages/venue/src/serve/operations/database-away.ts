import { isDatabaseAway } from '@augury/domain/database-away'
import { ServiceError } from '@augury/wire/service-error'

/**
 * Turns the loss of the database into a 503. Commands wait for it by themselves; a request that queried it directly changed nothing and may
 * be retried.
 */
export const withoutDatabase = (error: unknown): unknown =>
  isDatabaseAway(error) ? new ServiceError('service_unavailable', { retryAfter: 1, cause: error }) : error
