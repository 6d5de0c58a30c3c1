import type { Hex } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import pg from 'pg'
import { connection } from '../../base/postgres.ts'
import { readPostings, readSettlements } from './posted-roots.ts'
import type { Progress } from './progress.ts'
import { readAccountChanges } from './read-account-changes.ts'
import { readMovements, readTotalsOf, readTraded } from './read-accounts.ts'
import { readAffiliateShares } from './read-affiliate-shares.ts'
import { readCandles } from './read-candles.ts'
import { readCosts } from './read-costs.ts'
import { readFacts } from './read-facts.ts'
import { readFeesOf } from './read-fees.ts'
import { readFirstChange, readFlows } from './read-flows.ts'
import { readLedger } from './read-ledger.ts'
import {
  readChangedAt,
  readDeposited,
  readDeposits,
  readEndings,
  readOrders,
  readOrdersByClientId,
  readTransfers,
  readWithdrawals,
} from './read-orders.ts'
import type { Source } from './read-query.ts'
import { readRootLeaves, readRootWeights } from './read-root-leaves.ts'
import { readStandings } from './read-standings.ts'
import { readBalanceProof, readProofKeys, readStateRoots } from './read-state-roots.ts'
import { readTimelines } from './read-timelines.ts'
import { readHolders, readOpenInterest, readPositions, readRewards, readStats, readTokenPositions } from './read-totals.ts'
import { readTradeIds, readTrades, readTradesOf } from './read-trades.ts'
import { readShownPrices } from './shown-prices.ts'

/** How long a reader waits for history to include what it has just done. */
const WAIT_MS = 2000
/**
 * Connections for what lists show, and for what a command has to know before it goes on: so that reads of lists never delay an order.
 */
const LISTS = 6
const IDS = 3
/** Milliseconds for a query, after which the database gives it up too: otherwise abandoned queries would go on and pile up. */
const PATIENCE_MS = 10_000
/** A plan that is kept is made for tables as they were, and a young exchange's tables are empty: lists are planned anew each time. */
const PLANNED_ANEW = { plan_cache_mode: 'force_custom_plan' }
/** Each id is looked up in an index (see `lookUpEach`), also in a table that was too small for that when it was planned. */
const BY_INDEX = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

/** Queries over what the follower wrote. Every answer is a state at or after `projectedSeq()` of the moment of the call. */
export type ReadModel = ReturnType<typeof openReadModel>

/** Opens the history of a stream in PostgreSQL. `close` ends its connections. */
export function openReadModel(
  databaseUrl: string,
  stream: string,
  progress: Pick<Progress, 'projected' | 'reached'>,
  patienceMs = PATIENCE_MS,
) {
  const open = (max: number, plans: Record<string, string>): Source => {
    const session = { default_transaction_read_only: 'on', statement_timeout: String(patienceMs), ...plans }
    const pool = new pg.Pool({ ...connection(databaseUrl, `history ${stream}`, session), max })
    pool.on('error', () => {}) // an idle connection broke; the next query makes another
    return { pool, stream }
  }
  const lists = open(LISTS, PLANNED_ANEW)
  const ids = open(IDS, BY_INDEX)
  const listed = over(lists)
  const found = over(ids)
  /** A look-up of one order belongs to the answer to a command. */
  const about = (orders: readonly Hex[]) => (orders.length === 1 ? ids : lists)
  return {
    /** Position up to which history is written. */
    projectedSeq: () => progress.projected().seq,
    /** Waits until history has reached a position, at most 2 s. Throws ServiceError `read_model_lagging`. */
    async waitFor(seq: number): Promise<void> {
      if (!(await progress.reached(seq, WAIT_MS))) throw new ServiceError('read_model_lagging', { retryAfter: 1 })
    },
    orders: found(readOrders),
    ordersByClientId: found(readOrdersByClientId),
    transfers: found(readTransfers),
    tradeIds: (orders: readonly Hex[]) => readTradeIds(about(orders), orders),
    changedAt: (orders: readonly Hex[]) => readChangedAt(about(orders), orders),
    timelines: listed(readTimelines),
    endings: listed(readEndings),
    deposited: listed(readDeposited),
    deposits: listed(readDeposits),
    withdrawals: listed(readWithdrawals),
    trades: listed(readTrades),
    tradesOf: listed(readTradesOf),
    accountChanges: listed(readAccountChanges),
    affiliateShares: listed(readAffiliateShares),
    stats: listed(readStats),
    openInterest: listed(readOpenInterest),
    candles: listed(readCandles),
    shownPrices: listed(readShownPrices),
    ledger: listed(readLedger),
    positions: listed(readPositions),
    rewards: listed(readRewards),
    flows: listed(readFlows),
    costs: listed(readCosts),
    firstChange: listed(readFirstChange),
    holders: listed(readHolders),
    tokenPositions: listed(readTokenPositions),
    movements: listed(readMovements),
    traded: listed(readTraded),
    totalsOf: listed(readTotalsOf),
    standings: listed(readStandings),
    stateRoots: listed(readStateRoots),
    postings: listed(readPostings),
    settlements: listed(readSettlements),
    feesOf: listed(readFeesOf),
    proofKeys: listed(readProofKeys),
    balanceProof: listed(readBalanceProof),
    rootLeaves: listed(readRootLeaves),
    rootWeights: listed(readRootWeights),
    facts: listed(readFacts),
    close: async (): Promise<void> => void (await Promise.all([lists.pool.end(), ids.pool.end()])),
  }
}

/** Gives a query its connections. */
const over =
  (source: Source) =>
  <Asked extends unknown[], Answer>(read: (source: Source, ...asked: Asked) => Answer) =>
  (...asked: Asked): Answer =>
    read(source, ...asked)
