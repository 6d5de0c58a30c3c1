import type { VenueOperationName } from '@augury/wire/operations/venue'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { OutcomeUnknown } from '../src/record/log/outcome-unknown.ts'
import { callerFailure } from '../src/serve/operations/caller-failure.ts'

const NOT_DONE = 'Unable to cancel this order right now'

test.each<[VenueOperationName, RefusalCode, RefusalCode, number]>([
  ['cancelOrder', 'service_unavailable', 'cancel_failed', 500],
  ['cancelOrder', 'overloaded', 'cancel_failed', 500],
  ['cancelOrder', 'read_model_lagging', 'cancel_failed', 500],
  ['cancelOrderById', 'service_unavailable', 'cancel_failed', 500],
  ['cancelOrder', 'standby', 'standby', 503],
  ['cancelOrder', 'order_ended', 'order_ended', 409],
  ['cancelOrder', 'rate_limited', 'rate_limited', 429],
  ['cancelOrders', 'service_unavailable', 'service_unavailable', 503],
  ['cancelAll', 'overloaded', 'overloaded', 503],
  ['placeOrder', 'service_unavailable', 'service_unavailable', 503],
])('%s that failed with %s answers %s, %i', (name, code, told, status) => {
  const failure = callerFailure(name, new ServiceError(code, { retryAfter: 3 })) as ServiceError
  expect(failure).toMatchObject({ code: told, status, retryAfter: 3 })
  if (told !== 'cancel_failed') return
  expect([failure.message, failure.extras]).toEqual([NOT_DONE, { canceled: [], not_canceled: {} }])
  const named = callerFailure(name, new ServiceError(code), '0x12') as ServiceError
  expect(named.extras).toEqual({ canceled: [], not_canceled: { '0x12': NOT_DONE } })
})

test.each<[VenueOperationName, string]>([
  ['cancelOrder', 'It is not known yet whether this was cancelled. Look at your open orders before you try again.'],
  ['cancelAll', 'It is not known yet whether this was cancelled. Look at your open orders before you try again.'],
  ['placeOrders', 'It is not known yet whether this took effect. Look at your open orders before you try again.'],
])('an unknown outcome of %s says so', (name, message) => {
  expect(callerFailure(name, new OutcomeUnknown())).toMatchObject({ code: 'outcome_unknown', status: 500, message })
})

test('a bug stays what it is', () => {
  const bug = new TypeError('a bug')
  expect(callerFailure('cancelOrder', bug)).toBe(bug)
})
