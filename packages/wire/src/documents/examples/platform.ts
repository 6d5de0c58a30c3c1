import type { platformOperations } from '../../platform/operations.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition, marketSlug, orderId, yes } from './subjects.ts'

const id = '0195f3a1-7c3e-7b5a-9d1e-2f4b6c8d0e12'
const signature = `0x${'5a'.repeat(64)}1b` as const
const code = { code: '123456' }

const status = { data: [{ condition_id: condition, is_active: true, is_resolved: false }], next_cursor: 'LTE=' }

const credentialId = 'nD2dEVKPwkJcyQYfYlmfvw'
const clientData = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'
const attestation = {
  id: credentialId,
  rawId: credentialId,
  type: 'public-key' as const,
  response: { clientDataJSON: clientData, attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oA', transports: ['internal'] },
}
const assertion = {
  id: credentialId,
  rawId: credentialId,
  type: 'public-key' as const,
  response: {
    clientDataJSON: clientData,
    authenticatorData: 'SZYN5YgOjGh0NBcP',
    signature: 'MEUCIQDx',
    userHandle: 'AZXzoXw-e1qdHi9LbI0OEg',
  },
}
const approval = { passkey: assertion }

/** Requests to a deployment, with their responses. */
export const platformExamples: ExamplesOf<typeof platformOperations> = {
  listEvents: { query: { tag: 'trending', limit: 12 } },
  eventActivity: { query: { market: [condition], limit: 10 } },
  listHolders: { query: { conditionId: condition } },
  marketMetadata: { params: { slug: marketSlug }, query: { conditionId: condition }, output: { data: null } },
  relatedEvents: {
    params: { slug: marketSlug },
    output: [
      {
        id: '01JGBQ6E5V0000000000000000',
        slug: 'snow-in-porto-in-january',
        title: 'Will it snow in Porto in January?',
        icon_url: '',
        picture: '/art/1/e_sun.svg',
        common_tags_count: 1,
        chance: 3,
        leading: null,
        leading_market: { condition_id: condition, token_id: yes },
      },
    ],
  },
  marketsStatus: { query: { conditionIds: [condition] }, output: status },
  liveSeries: {
    query: { seriesSlug: 'btc-usd-5m', eventEndMs: 1_795_176_300_000 },
    output: {
      series_slug: 'btc-usd-5m',
      instrument: 'BTC/USD',
      interval: '5m',
      source: 'oracle_a',
      interval_ms: 300_000,
      active_window_minutes: 5,
      event_window_start_ms: 1_795_176_000_000,
      event_window_end_ms: 1_795_176_300_000,
      opening_price: 97_012.44,
      closing_price: null,
      latest_price: 97_012.44,
      latest_window_end_ms: 1_795_176_000_000,
      latest_source_timestamp_ms: 1_795_176_000_000,
      is_event_closed: false,
    },
  },
  marketsStatusBatch: { body: { conditionIds: [condition] }, output: status },
  signIn: {
    body: {
      message: [
        'site.example.org wants you to sign in with your Ethereum account:',
        alice,
        '',
        'Sign in to trade.',
        '',
        'URI: https://site.example.org',
        'Version: 1',
        'Chain ID: 137',
        'Nonce: 8f3c1a5e7b9d20468f3c1a5e7b9d2046',
        'Issued At: 2026-01-01T09:00:00.000Z',
      ].join('\n'),
      signature,
    },
  },
  verifyTotp: { body: code },
  confirmTwoFactor: { body: code },
  disableTwoFactor: { body: code },
  passkeyOptions: { body: { for: 'sign_up', username: 'calm_otter_412' } },
  passkeySignUp: { body: { credential: attestation, name: 'Phone' } },
  passkeySignIn: { body: { credential: assertion } },
  recoverAccount: { body: { code: '7k3wd-9f2hx-0qmta-4vzr8-c6jny', credential: attestation, name: 'New phone' } },
  emailRecoveryCode: { body: { email: 'alice@example.org' } },
  askApproval: { body: { action: 'withdraw', amount: '25', destination: alice } },
  addPasskey: { body: { credential: attestation, name: 'Laptop', approval } },
  renamePasskey: { params: { id }, body: { name: 'Old laptop' } },
  removePasskey: { params: { id }, body: { approval } },
  renewAccountCodes: { body: { approval } },
  linkWallet: { body: { message: 'site.example.org wants you to sign in with your Ethereum account: …', signature, approval } },
  unlinkWallet: { body: { address: alice, approval } },
  endSession: { params: { id } },
  saveTradingCredentials: { body: { set: 'clob', address: alice, timestamp: '1767225600', nonce: '0', signature } },
  placeOrder: { body: { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.42', size: '100', clientOrderId: 'mine-1' } },
  cancelOrder: { params: { id: orderId } },
  listEventOpenOrders: { params: { slug: marketSlug } },
  listLatestComments: { query: { event: marketSlug } },
  listComments: { query: { event: marketSlug, sort: 'likes' } },
  addBookmark: { body: { eventId: id } },
  removeBookmark: { params: { eventId: id } },
  markNotification: { params: { id }, body: { read: true } },
  markAllNotifications: { body: { read: true } },
  requestWithdrawal: { body: { amount: '25', destination: alice, totp: '123456' } },
  cancelWithdrawal: { params: { id } },
  addComment: { body: { event: marketSlug, content: 'The forecast says otherwise.' } },
  deleteComment: { params: { id } },
  likeComment: { params: { id }, body: { like: true } },
  reportComment: { params: { id } },
  signProxyWallet: { body: { signature } },
}
