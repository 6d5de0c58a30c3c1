import type { proofOperations } from '../../operations/proof.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition } from './subjects.ts'

export const root = {
  stream: 'main',
  n: 12,
  seq: 4211,
  at: 1_767_182_398_120,
  closes: 1_767_182_400_000,
  digest: '5d0c2f8ab1e94763',
  journal: '3a'.repeat(32),
  previous: '4b'.repeat(32),
  root: '5c'.repeat(32),
  assets: 3,
  holders: 2,
  usdc: '1950000000',
  locked: '50000000',
  converted: '0',
  custody: '2000000000',
  key: '6d'.repeat(32),
  hash: '7e'.repeat(32),
  signature: '8f'.repeat(64),
  endorsement: null,
}
const fact = { n: 0, at: root.at, outcome: null }
const entry = {
  ...fact,
  kind: 'entry',
  seq: 4210,
  holder: 'ab'.repeat(32),
  market: null,
  delta: 5_000_000,
  withdrawing: 0,
  reason: 'deposit',
  ref: '2b'.repeat(32),
}
const terms = { market: condition, outcome: 0, side: 'BUY', price: 4200, lots: 4000 }
const placed = { ...fact, kind: 'placed', seq: 4211, order: 'cd'.repeat(16), ...terms }
const step = { hash: '9a'.repeat(32), sum: '975000000' }

const transaction_hash = `0x${'7c'.repeat(32)}`

export const proofExamples: ExamplesOf<typeof proofOperations> = {
  listStateRoots: { output: { data: [{ ...root, transaction_hash }], next_cursor: 'LTE=' } },
  getStateRoot: { params: { n: 'latest' }, output: { ...root, transaction_hash } },
  listProofKeys: { output: [{ key: root.key, first: 1, last: 12, current: true }] },
  listFacts: {
    query: { after: 4209, limit: 500 },
    output: {
      data: [entry, placed],
      seq: 4211,
    },
  },
  listRootLeaves: {
    params: { n: '12' },
    output: {
      data: [{ market: null, outcome: null, place: 0, holders: 1, from: 0, leaves: `${'ab'.repeat(32)}00000000743ae5c0` }],
      next_cursor: 'LTE=',
    },
  },
  listRootWeights: { params: { n: '12' }, output: [{ market: condition, weight: 5000 }] },
  getBalanceProof: {
    output: {
      root,
      account: alice,
      salt: 'ef'.repeat(32),
      assets: [
        {
          market: null,
          outcome: null,
          token_id: null,
          amount: '975000000',
          index: 0,
          holders: 2,
          path: [step],
          total: '1950000000',
          ...{
            place: 0,
            top: [
              { ...step, sum: '0' },
              { ...step, sum: '0' },
            ],
          },
        },
      ],
    },
  },
}
