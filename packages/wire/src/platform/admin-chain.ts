import { z } from 'zod'
import { operation } from '../operation.ts'
import { bytes32, checksumAddress, micros } from '../scalars.ts'
import { actor, done, time } from './admin-envelope.ts'
import { chainStatus } from './chain.ts'
import { chainPlace } from './deposits.ts'

/** A transaction of the settler that is not over. */
const intent = z.object({
  nonce: z.int(),
  kind: z.enum(['pay', 'post', 'sweep', 'wallet', 'other']),
  /** Payments, accounts, or one. */
  count: z.int(),
  /** What it pays, in millionths; null where it pays nothing. */
  amount: micros.nullable(),
  /** What was sent last, how often it was sent anew with higher fees, and when first; null before that. */
  tx_hash: bytes32.nullable(),
  versions: z.int(),
  sent_at: time.nullable(),
  mined: z.boolean(),
})

const root = z.object({
  n: z.int(),
  custody: micros,
  hash: z.string(),
  tx_hash: bytes32,
  posted_at: time,
  block: z.int(),
})

/** A withdrawal that the vault could not pay, and that was given back. */
const failed = z.object({
  id: z.uuid(),
  amount: micros,
  destination: checksumAddress,
  user: actor,
  tx_hash: bytes32.nullable(),
  at: time,
})

/** A deposit for an account that no member of this site has, or of a banned member. It is credited, and only the account can take it out. */
const stranger = z.object({
  number: z.int().nullable(),
  account: checksumAddress,
  amount: micros,
  tx_hash: bytes32.nullable(),
  reason: z.enum(['unknown', 'banned']),
  at: time.nullable(),
})

/** The chain, for admins. */
export const adminChainOperations = {
  adminChain: operation({
    method: 'GET',
    path: '/admin/api/chain',
    auth: 'admin',
    summary: 'The state of the settler: work in progress, failures, deposits without an account, and differences.',
    output: done(
      z.object({
        /** Null where money is kept by the ledger alone. */
        place: chainPlace.nullable(),
        /** What the settler saw in its last round, and when that was; null before the first. */
        settler: chainStatus.nullable(),
        reported_at: time.nullable(),
        intents: z.array(intent),
        roots: z.array(root),
        failed: z.array(failed),
        strangers: z.array(stranger),
        /** What does not agree, in words; empty where all does. */
        differs: z.array(z.string()),
        now: time,
      }),
    ),
    refusals: [],
    repeatable: true,
  }),
} as const

export type AdminChain = z.output<(typeof adminChainOperations.adminChain)['output']>['data']
