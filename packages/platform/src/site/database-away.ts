import { isDatabaseAway } from '@augury/domain/database-away'
import { ServiceError } from '@augury/wire/service-error'

/** Turns the loss of the database into a 503; any other error stays as it is. Only where nothing can have changed. */
export const withoutDatabase = (error: unknown): unknown =>
  isDatabaseAway(error) ? new ServiceError('service_unavailable', { retryAfter: 5, cause: error }) : error
