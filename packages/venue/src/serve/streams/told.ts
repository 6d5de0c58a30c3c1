import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'

/** Ids that a text names; `details` has all of them. */
const NAMED = 3

/** Returns the message that tells a client of a stream what is wrong with its request, as `/ws/market` and `/ws/user` send it. */
export const errorFrame = (code: RefusalCode, text?: string, details?: unknown): object => ({
  event_type: 'error',
  ...new ServiceError(code, { ...(text === undefined ? {} : { text }), ...(details === undefined ? {} : { details }) }).body(),
})

/** Lists ids in a text: the first few, and how many more there are. */
const listed = (ids: readonly string[]): string => {
  const shown = ids.slice(0, NAMED).map((id) => (id === '' ? '""' : id.slice(0, 80)))
  return shown.join(', ') + (ids.length > NAMED ? ` and ${ids.length - NAMED} more` : '')
}

/** Returns the message for ids under `field` that name nothing that can be followed, so that no message about them will ever come. */
export const unknownFrame = (field: 'assets_ids' | 'markets', ids: readonly string[]): object =>
  field === 'assets_ids'
    ? errorFrame('unknown_token', `assets_ids takes token IDs of this exchange: ${listed(ids)}`, { unknown: ids })
    : errorFrame('unknown_market', `markets takes condition IDs of this exchange, not token IDs: ${listed(ids)}`, { unknown: ids })

/** Returns the message for ids beyond what a socket may follow; what it follows stays. */
export const tooManyFrame = (most: number, noun: string, ids: readonly string[]): object =>
  errorFrame('too_many_subscriptions', `a socket follows at most ${most} ${noun}; not followed: ${listed(ids)}`, { refused: ids })
