import { describe, expect, test } from 'vitest'
import { refusalCodes, refusals, refusalText } from '../src/refusals.ts'
import { ServiceError } from '../src/service-error.ts'

describe('refusals', () => {
  // Statuses that the contract fixes; other refusals of orders are 400.
  const decided: Record<number, string[]> = {
    401: ['bad_headers', 'unknown_key', 'stale_timestamp', 'bad_signature', 'bad_passphrase'],
    403: ['insufficient_scope', 'account_banned', 'proxy_wallet_missing', 'order_not_owned', 'condition_not_owned'],
    404: ['not_found', 'unknown_token', 'unknown_market', 'unknown_event', 'order_not_found', 'unknown_ref'],
    405: ['method_not_allowed'],
    421: ['wrong_host'],
    409: [
      'scope_conflict',
      'market_closed',
      'market_paused',
      'event_incomplete',
      'duplicate_order',
      'client_order_id_conflict',
      'order_ended',
      'condition_exists',
      'condition_not_open',
      'condition_not_resolved',
      'condition_not_empty',
      'event_full',
      'duplicate_ref',
    ],
    413: ['payload_too_large'],
    415: ['unsupported_media_type'],
    429: ['rate_limited', 'faucet_limit'],
    431: ['headers_too_large'],
    500: ['internal_error', 'outcome_unknown', 'cancel_failed'],
    501: ['unsupported'],
    502: ['model_failed'],
    503: ['overloaded', 'service_unavailable', 'read_model_lagging', 'standby', 'venue_paused', 'cancel_only', 'post_only_mode'],
  }
  const statusOf = Object.entries(decided).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const))
  test.each(statusOf)('%s is a %i', (code, status) => {
    expect(refusals[code as keyof typeof refusals].status).toBe(status)
  })

  test.each(refusalCodes)('%s has a sentence, and a status that the contract knows', (code) => {
    expect([400, ...Object.keys(decided).map(Number)]).toContain(refusals[code].status)
    expect(refusals[code].text).toMatch(/\S/)
  })

  test.each([
    ['order_not_found', 'Order not found'],
    ['order_ended', 'Order is already filled or cancelled'],
    ['cancel_failed', 'Unable to cancel this order right now'],
    ['unknown_key', 'Unauthenticated'],
    ['proxy_wallet_missing', 'Deploy your proxy wallet before trading'],
    ['rate_limited', 'Too Many Requests'],
    ['post_only_would_cross', 'invalid post-only order: order crosses book'],
  ] as const)('%s says exactly %j', (code, text) => {
    expect(refusalText(code)).toBe(text)
  })

  test('a detailed text needs all its values', () => {
    const values = { id: '0x1', price: '0.555', tick: '0.01' }
    expect(refusalText('invalid_price_tick', values)).toBe('order 0x1 is invalid. Price (0.555) breaks minimum tick size rule: 0.01')
    expect(refusalText('invalid_price_tick', { id: '0x1' })).toBe('order is invalid. Price breaks minimum tick size rule')
  })

  test('a service error carries status, code, details and extras into the body', () => {
    const error = new ServiceError('order_ended', { extras: { canceled: [], not_canceled: { a: 'x' } }, details: { state: 'filled' } })
    expect(error.status).toBe(409)
    expect(error.body()).toEqual({
      error: 'Order is already filled or cancelled',
      code: 'order_ended',
      details: { state: 'filled' },
      canceled: [],
      not_canceled: { a: 'x' },
    })
    expect(new ServiceError('unknown_market').body()).toEqual({ error: 'market not found', code: 'unknown_market' })
  })
})
