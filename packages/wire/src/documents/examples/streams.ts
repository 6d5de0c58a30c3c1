import { book } from './books.ts'
import { alice, apiKey, condition, no, tradeId, yes } from './subjects.ts'

const owner = alice.toLowerCase()
const place = { market: condition, timestamp: '1767182401250', seq: 4211, prev_seq: 4210, epoch: 1 }

/** Messages by stream and name. */
export const streamExamples = {
  market: {
    market: { type: 'market', markets: [condition] },
    subscribe_unsubscribe: { operation: 'subscribe', markets: [condition] },
    resume: { operation: 'resume', market: condition, seq: 4210, epoch: 1 },
    subscribed: { event_type: 'subscribed', markets: [condition], assets_ids: [yes, no], unknown: [], seq: 4210, epoch: 1 },
    book: { ...book, bids: book.bids.toReversed(), event_type: 'book', seq: 4210, prev_seq: 4207, epoch: 1 },
    price_change: {
      event_type: 'price_change',
      ...place,
      price_changes: [
        { asset_id: yes, price: '0.42', size: '20', side: 'BUY', best_bid: '0.42', best_ask: '0.44' },
        { asset_id: no, price: '0.58', size: '20', side: 'SELL', best_bid: '0.56', best_ask: '0.58' },
      ],
      checksum: 2_212_294_583,
    },
    last_trade_price: {
      event_type: 'last_trade_price',
      ...place,
      asset_id: yes,
      price: '0.42',
      side: 'SELL',
      size: '40',
      fee_rate_bps: '0',
      trade_id: tradeId,
      fill_id: tradeId,
      match_type: 'direct',
    },
    heartbeat: { event_type: 'heartbeat', timestamp: '1767182405000', seq: 4214, epoch: 1, channels: { [condition]: 4211 } },
    resync: { event_type: 'resync', market: condition, seq: 4214, epoch: 1 },
    error: { event_type: 'error', error: 'Invalid payload', code: 'invalid_payload' },
  },
  user: {
    user: {
      type: 'user',
      auth: {
        key: apiKey,
        passphrase: '7f0c…',
        timestamp: '1767182400',
        signature: 'kp2f0k3nUqTq2N0w7V1yB3m9Q4Zr5x6C8d1eFgHiJkM=',
      },
    },
    subscribe_unsubscribe: { operation: 'subscribe', markets: [condition] },
    resume: { operation: 'resume', seq: 4210, epoch: 1 },
    subscribed: { event_type: 'subscribed', channels: { [owner]: 4210 }, markets: [], seq: 4210, epoch: 1 },
    heartbeat: { event_type: 'heartbeat', timestamp: '1767182405000', seq: 4214, epoch: 1, channels: { [owner]: 4211 } },
    resync: { event_type: 'resync', account: owner, seq: 4214, epoch: 1 },
    error: { event_type: 'error', error: 'Unauthenticated', code: 'bad_signature' },
  },
  trade: {
    login: {
      id: 1,
      op: 'login',
      body: {
        key: apiKey,
        passphrase: '7f0c…',
        timestamp: '1767182400',
        signature: 'kp2f0k3nUqTq2N0w7V1yB3m9Q4Zr5x6C8d1eFgHiJkM=',
        cancel_on_disconnect: true,
      },
    },
    loggedIn: { id: 1, op: 'login', status: 200, seq: 4210, headers: {}, body: { account: alice, epoch: 1, cancel_on_disconnect: true } },
    place: {
      id: 2,
      op: 'place',
      body: { tokenId: yes, side: 'BUY', orderType: 'GTC', price: '0.42', size: '20', clientOrderId: 'bid-17' },
    },
    cancel: { id: 3, op: 'cancel', body: { clientOrderId: 'bid-17' } },
    'cancel-all': { id: 4, op: 'cancel-all' },
    'cancel-allAnswer': {
      id: 4,
      op: 'cancel-all',
      status: 200,
      seq: 4214,
      headers: {},
      body: { canceled: [], not_canceled: {} },
    },
    refused: {
      id: 3,
      op: 'cancel',
      status: 404,
      seq: 4213,
      headers: { 'RateLimit-Policy': '"cancel";q=100;w=60', RateLimit: '"cancel";r=99;t=60' },
      body: { error: 'Order not found', code: 'order_not_found', canceled: [], not_canceled: { 'bid-17': 'Order not found' } },
    },
  },
  subscriptions: {
    connectionParams: {
      method: 'connectionParams',
      data: { key: apiKey, passphrase: '7f0c…', timestamp: '1767182400', signature: 'kp2f0k3nUqTq2N0w7V1yB3m9Q4Zr5x6C8d1eFgHiJkM=' },
    },
    onMarket: { id: 1, method: 'subscription', params: { path: 'onMarket', input: { markets: [condition] } } },
    onUser: { id: 2, method: 'subscription', params: { path: 'onUser', input: {}, lastEventId: '1-4210' } },
    stop: { id: 1, method: 'subscription.stop' },
    startedStopped: { id: 1, result: { type: 'started' } },
    onMarketData: {
      id: 1,
      result: {
        type: 'data',
        id: '1-4214',
        data: {
          id: '1-4214',
          data: [{ event_type: 'heartbeat', timestamp: '1767182405000', seq: 4214, epoch: 1, channels: { [condition]: 4211 } }],
        },
      },
    },
    onUserData: {
      id: 2,
      result: {
        type: 'data',
        id: '1-4210',
        data: { id: '1-4210', data: [{ event_type: 'subscribed', channels: { [owner]: 4210 }, markets: [], seq: 4214, epoch: 1 }] },
      },
    },
    refused: {
      id: 2,
      error: {
        message: 'Unauthenticated',
        code: -32_001,
        data: { code: 'UNAUTHORIZED', httpStatus: 401, refusal: { error: 'Unauthenticated', code: 'bad_signature' } },
      },
    },
  },
  compatMarket: {
    market: { type: 'market', assets_ids: [yes, no] },
    subscribe_unsubscribe: { operation: 'subscribe', assets_ids: [yes], custom_feature_enabled: true },
    book: { ...book, bids: book.bids.toReversed(), event_type: 'book' },
  },
  compatUser: {
    user: { type: 'user', auth: { apiKey, secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', passphrase: '7f0c…' } },
    subscribe_unsubscribe: { operation: 'subscribe', markets: [condition] },
  },
  compatLive: {
    subscribe_unsubscribe: { action: 'subscribe', subscriptions: [{ topic: 'clob_market', type: '*', filters: `["${yes}"]` }] },
  },
}
