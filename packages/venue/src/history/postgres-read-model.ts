import type { Hex } from '@augury/engine/command'
import { ServiceError } from '@augury/wire/service-error'
import pg from 'pg'
import { connection } from '../postgres.ts'
import type { Progress } from './progress.ts'
import { readAccountChanges } from './read-account-changes.ts'
import { readMovements, readStandings, readTotalsOf, readTraded } from './read-accounts.ts'
import { readAffiliateShares } from './read-affiliate-shares.ts'
import { readFacts } from './read-facts.ts'
import { readLedger } from './read-ledger.ts'
import type { ReadModel } from './read-model.ts'
import { readChangedAt, readDeposited, readDeposits, readEndings, readOrders, readOrdersByClientId, readTransfers } from './read-orders.ts'
import { readBalanceProof, readProofKeys, readStateRoots } from './read-state-roots.ts'
import { readTimelines } from './read-timelines.ts'
import { readHolders, readOpenInterest, readPositions, readStats } from './read-totals.ts'
import { readTradeIds, readTrades, readTradesOf } from './read-trades.ts'
import { readShownPrices } from './shown-prices.ts'

/** How long a reader waits for history to include what it has just done. */
const WAIT_MS = 2000
/**
 * Connections for what lists show, and for what a command has to know before it goes on: nobody reads so much that an order waits for it.
 */
const LISTS = 6
const IDS = 3
/** Milliseconds for a query, after which the database gives it up too: else what nobody waits for would go on, and more beside it. */
const PATIENCE_MS = 10_000

/** History in PostgreSQL. `close` ends its connections. */
export function postgresReadModel(
  databaseUrl: string,
  stream: string,
  progress: Pick<Progress, 'projected' | 'reached'>,
  patienceMs = PATIENCE_MS,
): ReadModel & { close(): Promise<void> } {
  const open = (max: number) => {
    const session = { default_transaction_read_only: 'on', statement_timeout: String(patienceMs) }
    const pool = new pg.Pool({ ...connection(databaseUrl, `history ${stream}`, session), max })
    pool.on('error', () => {}) // an idle connection broke; the next query makes another
    return { pool, stream }
  }
  const source = open(LISTS)
  const ids = open(IDS)
  /** What is told of one order belongs to the answer to a command. */
  const about = (orders: readonly Hex[]) => (orders.length === 1 ? ids : source)
  return {
    projectedSeq: () => progress.projected().seq,
    async waitFor(seq) {
      if (!(await progress.reached(seq, WAIT_MS))) throw new ServiceError('read_model_lagging', { retryAfter: 1 })
    },
    timelines: (positions) => readTimelines(source, positions),
    orders: (asked) => readOrders(ids, asked),
    ordersByClientId: (names) => readOrdersByClientId(ids, names),
    endings: (account, after, besides, limit) => readEndings(source, account, after, besides, limit),
    deposited: (account, refPrefix, after) => readDeposited(source, account, refPrefix, after),
    transfers: (refs) => readTransfers(ids, refs),
    trades: (filter, page) => readTrades(source, filter, page),
    tradesOf: (account, filter, page) => readTradesOf(source, account, filter, page),
    tradeIds: (orders) => readTradeIds(about(orders), orders),
    changedAt: (orders) => readChangedAt(about(orders), orders),
    accountChanges: (account, after, limit) => readAccountChanges(source, account, after, limit),
    deposits: (after, limit) => readDeposits(source, after, limit),
    affiliateShares: (after, limit) => readAffiliateShares(source, after, limit),
    stats: (conditions, now) => readStats(source, conditions, now),
    openInterest: () => readOpenInterest(source),
    shownPrices: (condition, outcome, range) => readShownPrices(source, condition, outcome, range),
    ledger: (account, page) => readLedger(source, account, page),
    positions: (account, conditions) => readPositions(source, account, conditions),
    movements: (account, filter, page) => readMovements(source, account, filter, page),
    traded: (account) => readTraded(source, account),
    totalsOf: (accounts) => readTotalsOf(source, accounts),
    standings: (prices, since, by, limit) => readStandings(source, prices, since, by, limit),
    holders: (condition, outcome, limit, offset) => readHolders(source, condition, outcome, limit, offset),
    stateRoots: (before, limit) => readStateRoots(source, before, limit),
    proofKeys: () => readProofKeys(source),
    balanceProof: (account, root) => readBalanceProof(source, account, root),
    facts: (after, limit) => readFacts(source, after, limit),
    close: async () => void (await Promise.all([source.pool.end(), ids.pool.end()])),
  }
}
