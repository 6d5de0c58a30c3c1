import type { operatorOperations } from '../../operations/operator.ts'
import type { ExamplesOf } from '../example.ts'
import { market } from './markets.ts'
import { root } from './proof.ts'
import { serviceStatus } from './service.ts'
import { alice, condition, marketSlug, no, operator, question, yes } from './subjects.ts'

const params = { id: condition }
const ref = 'bank-2025-000017'
const transferred = {
  seq: 4700,
  timestamp_iso: '2025-12-24T12:00:00.000Z',
  ref: `0x${'2b'.repeat(32)}`,
  address: alice,
  amount: '1000000000',
}

export const operatorExamples: ExamplesOf<typeof operatorOperations> = {
  registerCondition: {
    body: {
      question_slug: marketSlug,
      outcomes: ['Yes', 'No'],
      tick_size: '0.01',
      min_size: '5',
      fee_rate_bps: 0,
      end_time: '2026-01-02T00:00:00Z',
      metadata: {
        question,
        short_title: 'Rain in Lisbon',
        description: '',
        rules: 'Yes when at least 0.1 mm falls.',
        resolution_source: 'The weather office',
        resolution_source_url: '',
        icon: '',
        event: {
          slug: marketSlug,
          title: question,
          icon: '',
          tags: [{ slug: 'weather', name: 'Weather' }],
          rules: '',
          start_date: null,
          end_date: '2026-01-02T00:00:00Z',
        },
      },
    },
    output: {
      condition_id: condition,
      question_id: market.question_id,
      neg_risk_market_id: null,
      tokens: [
        { token_id: yes, outcome: 'Yes' },
        { token_id: no, outcome: 'No' },
      ],
    },
  },
  patchCondition: { params, body: { tick_size: '0.001' }, output: { ...market, minimum_tick_size: 0.001 } },
  closeCondition: { params, output: { ...market, mode: 'closed', accepting_orders: false } },
  resolveCondition: {
    params,
    body: { weights: [10_000, 0] },
    output: { ...market, mode: 'resolved', accepting_orders: false, closed: true, resolution_price: 1 },
  },
  redeemCondition: { params, body: { limit: 1000 }, output: { redeemed: 12, remaining: false } },
  setAccount: {
    params: { address: alice },
    body: { tier: 'maker' },
    output: { address: alice, referrer: null, tier: 'maker', stp_group: null, banned: false },
  },
  setFeeAccount: { body: { address: alice }, output: { deployment: operator, fee_account: alice } },
  listAffiliateShares: {
    query: { after: 0 },
    output: {
      data: [
        {
          seq: 4711,
          timestamp_iso: '2025-12-24T12:00:00.000Z',
          market: condition,
          taker_address: alice,
          referrer: operator,
          volume: '50000000',
          fee: '1750000',
          amount: '875000',
        },
      ],
      seq: 4711,
      epoch: 1,
      after_epoch: 0,
      next_cursor: 'LTE=',
    },
  },
  pauseVenue: { output: { ...serviceStatus, mode: 'paused' } },
  resumeVenue: { output: serviceStatus },
  cancelOnlyVenue: { output: { ...serviceStatus, mode: 'cancel_only' } },
  upgradeRules: { output: { rules: 3 } },
  deposit: { body: { address: alice, amount: '1000000000', ref }, output: { ref, status: 'deposited', balance: '1000' } },
  depositBatch: {
    body: { deposits: [{ address: alice, amount: '1000000000', ref: 'deposit:80002:0x1d9e:17' }] },
    output: { deposited: 1, refused: null },
  },
  listDeposits: {
    query: { after: 0 },
    output: {
      data: [transferred],
      seq: 4700,
      epoch: 1,
      after_epoch: 0,
      next_cursor: 'LTE=',
    },
  },
  withdraw: { body: { address: alice, amount: '500000000', ref }, output: { ref, status: 'withdrawing', balance: '500' } },
  listWithdrawals: {
    query: { after: 0 },
    output: {
      data: [{ ...transferred, status: 'withdrawing' }],
      seq: 4700,
      epoch: 1,
      after_epoch: 0,
      next_cursor: 'LTE=',
    },
  },
  cutStateRoot: { output: root },
  notePostedRoot: {
    body: { hash: root.hash, transaction_hash: `0x${'7c'.repeat(32)}` },
    output: { n: root.n, transaction_hash: `0x${'7c'.repeat(32)}` },
  },
  getFees: {
    query: { address: alice, after: 0 },
    output: { amount: '1250000', available: '900000', seq: 4711, is_complete: true },
  },
  settleWithdrawal: { params: { ref }, output: { ref, status: 'settled', balance: '500' } },
  returnWithdrawal: { params: { ref }, output: { ref, status: 'returned', balance: '1000' } },
  faucet: { body: { address: alice, amount: '1000' }, output: { balance: '1000' } },
}
