import { ServiceError } from '@augury/wire/service-error'
import pg from 'pg'
import { connection } from '../postgres.ts'
import type { Progress } from './progress.ts'
import { readAccountChanges } from './read-account-changes.ts'
import { readMovements, readStandings, readTotalsOf, readTraded } from './read-accounts.ts'
import { readAffiliateShares } from './read-affiliate-shares.ts'
import { readFacts } from './read-facts.ts'
import { readActivity, readLedger } from './read-ledger.ts'
import type { ReadModel } from './read-model.ts'
import { readChangedAt, readDeposited, readDeposits, readEndings, readOrders, readOrdersByClientId, readTransfers } from './read-orders.ts'
import { readBalanceProof, readProofKeys, readStateRoots } from './read-state-roots.ts'
import { readTimelines } from './read-timelines.ts'
import { readHolders, readPositions, readStats } from './read-totals.ts'
import { readTradeIds, readTrades, readTradesOf } from './read-trades.ts'
import { readShownPrices } from './shown-prices.ts'

/** How long a reader waits for history to include what it has just done. */
const WAIT_MS = 2000
const CONNECTIONS = 6

/** History in PostgreSQL. `close` ends its connections. */
export function postgresReadModel(
  databaseUrl: string,
  stream: string,
  progress: Pick<Progress, 'projected' | 'reached'>,
): ReadModel & { close(): Promise<void> } {
  const pool = new pg.Pool({ ...connection(databaseUrl, `history ${stream}`, { default_transaction_read_only: 'on' }), max: CONNECTIONS })
  pool.on('error', () => {}) // an idle connection broke; the next query makes another
  const source = { pool, stream }
  return {
    projectedSeq: () => progress.projected().seq,
    async waitFor(seq) {
      if (!(await progress.reached(seq, WAIT_MS))) throw new ServiceError('read_model_lagging', { retryAfter: 1 })
    },
    timelines: (positions) => readTimelines(source, positions),
    orders: (ids) => readOrders(source, ids),
    ordersByClientId: (names) => readOrdersByClientId(source, names),
    endings: (account, after, besides, limit) => readEndings(source, account, after, besides, limit),
    deposited: (account, refPrefix, after) => readDeposited(source, account, refPrefix, after),
    transfers: (refs) => readTransfers(source, refs),
    trades: (filter, page) => readTrades(source, filter, page),
    tradesOf: (account, filter, page) => readTradesOf(source, account, filter, page),
    tradeIds: (orders) => readTradeIds(source, orders),
    changedAt: (orders) => readChangedAt(source, orders),
    accountChanges: (account, after, limit) => readAccountChanges(source, account, after, limit),
    deposits: (after, limit) => readDeposits(source, after, limit),
    affiliateShares: (after, limit) => readAffiliateShares(source, after, limit),
    stats: (conditions, now) => readStats(source, conditions, now),
    shownPrices: (condition, outcome, range) => readShownPrices(source, condition, outcome, range),
    ledger: (account, page) => readLedger(source, account, page),
    activity: (account, page) => readActivity(source, account, page),
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
    close: () => pool.end(),
  }
}
