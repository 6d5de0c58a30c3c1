import { z } from 'zod'
import { exitFile } from '../exit-file.ts'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { bytes32, checksumAddress, micros } from '../scalars.ts'
import { answering } from './asks-exchange.ts'
import { chainStatus } from './chain.ts'

/**
 * Money on its way into an account, in millionths. `seen`: it lies at the deposit address, or no block has it yet; `confirming`: the vault has
 * it, and blocks are built on top; `credited`: it can be spent.
 */
export const deposit = z.object({
  /** The vault's number; null until the vault has it. */
  number: z.int().min(1).nullable(),
  amount: micros,
  /** Transaction on the chain; null while unknown. */
  tx_hash: bytes32.nullable(),
  block: z.int().min(0).nullable(),
  /** Blocks on top, at most `needed`. */
  confirmations: z.int().min(0),
  needed: z.int().min(0),
  state: z.enum(['seen', 'confirming', 'credited']),
  /** Whether it lies at the deposit address and is below the smallest deposit: it stays there until more is sent. */
  below_minimum: z.boolean(),
  credited_at: z.iso.datetime().nullable(),
})

/** What a wallet needs to know of the chain before it sends anything. */
export const chainPlace = z.object({
  chain_id: z.int(),
  /** Name of the network. */
  network: z.string(),
  /** The contract that holds members' money, and its token. */
  vault: checksumAddress,
  collateral: checksumAddress,
  /** Factory of the deposit addresses. */
  deposit_factory: checksumAddress,
  /** Smallest deposit, in millionths. */
  min_deposit: micros,
  /** Blocks on top of a deposit before it is credited. */
  confirmations: z.int().min(0),
  /** Public JSON-RPC address of the chain; null where none is known. */
  rpc_url: z.string().nullable(),
  /** Block explorer; null without one. */
  explorer_url: z.string().nullable(),
  /** Hash of block 0, by which a wallet shows that it is on this chain; null while the node does not answer. */
  genesis_hash: bytes32.nullable(),
})

/** How the chain stands. `place` is null where money is kept by the ledger alone. */
export const chainView = z.object({
  settlement: z.enum(['ledger', 'chain']),
  place: chainPlace.nullable(),
  /** What the settler saw in its last round, and when that was; null before the first. `halted`: payments wait for an operator. */
  status: chainStatus
    .pick({
      ...{ head: true, confirmed: true, lag_seconds: true, balance: true, deposits: true, payments: true, limit: true, spent: true },
      ...{ paused: true, vetoed: true, frozen: true, root: true, withdrawals_waiting: true, oldest_unpaid_at: true },
    })
    .extend({ halted: z.boolean() })
    .nullable(),
  reported_at: z.iso.datetime().nullable(),
})

/** Where a member's deposits go: `address` is theirs alone, and is not their proxy wallet. */
export const depositAddress = chainPlace.extend({ address: checksumAddress })

/** Deposits on the chain. */
export const depositOperations = {
  getChain: operation({
    method: 'GET',
    path: '/api/chain',
    auth: 'public',
    summary: 'Where money is kept: in the ledger alone, or in a vault on a chain, with its state.',
    output: chainView,
    refusals: [],
    repeatable: true,
  }),
  listDeposits: operation({
    method: 'GET',
    path: '/api/deposits',
    auth: 'member',
    summary: 'The member’s deposits on the chain: those on their way first, then credited ones, newest first.',
    query: publicQuery({ offset: offset(), limit: limit(100, 50) }),
    output: z.array(deposit),
    refusals: [],
    repeatable: true,
  }),
  getDepositAddress: operation({
    method: 'GET',
    path: '/api/deposit-address',
    auth: 'member',
    summary: 'The member’s deposit address: USDC sent there on the named network is credited to the account.',
    output: depositAddress,
    refusals: ['no_chain', 'chain_unavailable'],
    repeatable: true,
  }),
  getExitFile: operation({
    method: 'GET',
    path: '/api/exit-file',
    auth: 'member',
    summary:
      'What the member keeps to take their money out of the vault without the exchange: the salt of the account, and its proof at the newest root.',
    output: exitFile,
    refusals: ['no_chain', 'trading_not_enabled', 'not_found', ...answering],
    repeatable: true,
  }),
} as const

export type DepositView = z.output<typeof deposit>
export type ChainView = z.output<typeof chainView>
export type ChainPlace = z.output<typeof chainPlace>
export type DepositAddress = z.output<typeof depositAddress>
