import type { dataOperations } from '../../operations/data.ts'
import type { establishedOperations } from '../../operations/established.ts'
import type { historyOperations } from '../../operations/history.ts'
import type { walletOperations } from '../../operations/wallets.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition, operator, orderId, yes } from './subjects.ts'

const user = { query: { user: alice } }
const market = { query: { market: [condition] } }
const params = { condition_id: condition }

/** Requests about history, and those of established clients. */
export const dataExamples: ExamplesOf<
  typeof historyOperations & typeof dataOperations & typeof walletOperations & typeof establishedOperations
> = {
  getPriceHistory: { query: { market: yes, interval: '1d', fidelity: 60 }, output: { history: [{ t: 1_767_182_400, p: 0.42 }] } },
  getPriceHistories: { body: { markets: [yes], interval: '1d', fidelity: 60 } },
  listCandles: {
    query: { market: yes, interval: '1h' },
    output: {
      candles: [{ t: 1_767_182_400, open: 4100, high: 4300, low: 4050, close: 4200, lots: 12_000, volume: 50_400_000, trades: 7 }],
    },
  },
  listMarketTape: { params },
  listEventTape: { params },
  listPositions: user,
  listClosedPositions: user,
  getValue: user,
  getProfitHistory: { query: { user: alice, points: 80 } },
  getTraded: user,
  getTraders: { body: { users: [alice, operator] } },
  listHolders: market,
  listActivity: user,
  listMarketPositions: { query: { market: condition } },
  getAccountingSnapshot: user,
  getLiveVolume: market,
  relayWallet: { body: { owner: alice, signature: `0x${'5a'.repeat(64)}1b` } },
  registerWallet: { params: { address: operator, signature_type: '2' } },
  dropNotifications: { query: { ids: ['4211'] }, output: 'OK' },
  getOrderScoring: { query: { order_id: orderId }, output: { scoring: false } },
  getOrdersScoring: { body: [orderId], output: { [orderId]: false } },
  listMarketRewards: { params },
  getBuilderFees: { params: { code: '42' }, output: { builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: 0 } },
}
