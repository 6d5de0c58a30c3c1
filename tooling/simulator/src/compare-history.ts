import { isDeepStrictEqual } from 'node:util'
import type { Hex, Outcome } from '@augury/engine/command'
import type { OrderView } from '@augury/engine/event'
import type { AccountChange } from '@augury/venue/record/history/account-changes'
import type { Movement } from '@augury/venue/record/history/read-accounts'
import type { LedgerRecord } from '@augury/venue/record/history/read-ledger'
import type { ReadModel } from '@augury/venue/record/history/read-model'
import type { Lived } from './told-history.ts'

/** History tells something else than what happened. */
class Untrue extends Error {
  override readonly name = 'Untrue'
}

function same(where: string, told: unknown, is: unknown): void {
  if (!isDeepStrictEqual(told, is)) throw new Untrue(`${where}\n  told ${JSON.stringify(told)}\n  is   ${JSON.stringify(is)}`)
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0)
const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

/** Compares all that history tells of a run with what happened. Returns the first difference, or null. */
export async function compareHistory(history: ReadModel, lived: Lived): Promise<string | null> {
  try {
    await compareOrders(history, lived)
    for (const account of lived.accounts) await compareAccount(history, lived, account)
    await compareConditions(history, lived)
    await compareShares(history, lived)
    return null
  } catch (error) {
    if (error instanceof Untrue) return error.message
    throw error
  }
}

/** An order with its bytes as numbers: those of the database are of another class. */
const plain = (order: OrderView) => ({ ...order, annex: [...order.annex] })

async function compareOrders(history: ReadModel, { orders, exchange }: Lived): Promise<void> {
  const told = await history.orders([...orders.keys()])
  same('number of orders', told.size, orders.size)
  for (const [id, is] of orders) {
    const { by: _, placedLots, endedAt, ...order } = told.get(id)!
    same(`order ${id}`, plain(order), plain(is))
    same(`end of order ${id}`, endedAt, exchange.endedAt(id))
    if (placedLots < is.lots) throw new Untrue(`order ${id} grew from ${placedLots} to ${is.lots}`)
  }
}

async function compareAccount(history: ReadModel, lived: Lived, account: Hex): Promise<void> {
  const { exchange, entries } = lived
  const { free, held } = exchange.balance(account)
  const ledger = await wholeLedger(history, account)
  const own = entries.filter((entry) => entry.account === account)
  same(
    `ledger of ${account}`,
    ledger.map(({ asset, delta, balance, reason }) => ({ asset, delta, balance, reason })),
    own.toReversed().map(({ asset, delta, balance, reason }) => ({ asset, delta, balance, reason })),
  )
  const cash = ledger.filter(({ asset }) => asset === null)
  same(
    `sum of the ledger of ${account}`,
    sumOf(cash, ({ delta }) => delta),
    free + held,
  )
  await compareMovements(history, account, free + held)
  await comparePositions(history, lived, account, cash)
  await compareChanges(history, lived, account)
}

async function wholeLedger(history: ReadModel, account: Hex): Promise<LedgerRecord[]> {
  const entries: LedgerRecord[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { rows, next } = await history.ledger(account, { limit: 500, cursor: cursor ?? null })
    entries.push(...rows)
    cursor = next
  }
  return entries
}

/** Returns the change of an account's cash by a movement. */
function cashOf({ type, side, usdc, fee }: Movement): number {
  const isSpent = (type === 'TRADE' && side === 'BUY') || type === 'SPLIT' || type === 'WITHDRAWAL'
  return (isSpent ? -usdc : usdc) - fee
}

async function compareMovements(history: ReadModel, account: Hex, cash: number): Promise<void> {
  const all = await history.movements(account, {}, { limit: 100_000, offset: 0 })
  same(`sum of the movements of ${account}`, sumOf(all, cashOf), cash)
  const paged: Movement[] = []
  const limit = Math.ceil(all.length / 3) + 1
  for (let isMore = true; isMore; ) {
    const page = await history.movements(account, {}, { limit, offset: paged.length })
    paged.push(...page)
    isMore = page.length > 0
  }
  same(`pages of the movements of ${account}`, paged, all)
  const trades = all.filter(({ type }) => type === 'TRADE')
  const told = (await history.totalsOf([account])).get(account) ?? { volume: 0, trades: 0 }
  const is = { volume: sumOf(trades, ({ usdc }) => usdc), trades: new Set(trades.map(({ seq, n }) => `${seq}-${n}`)).size }
  same(`totals of ${account}`, told, is)
}

/** What changes cash and is no profit. */
const PAID_IN: readonly string[] = ['deposit', 'withdraw', 'withdraw_settled', 'withdraw_returned']

async function comparePositions(history: ReadModel, { exchange }: Lived, account: Hex, cash: readonly LedgerRecord[]): Promise<void> {
  const positions = await history.positions(account)
  const told = positions.filter(({ lots }) => lots > 0).map(({ condition, outcome, lots }) => ({ condition, outcome, lots }))
  const is = exchange.holdings(account).map(({ condition, outcome, free, held }) => ({ condition, outcome, lots: free + held }))
  same(`positions of ${account}`, told.sort(byText), is.sort(byText))
  const costly = positions.filter(({ lots, heldCost }) => heldCost < 0 || (lots === 0 && heldCost !== 0))
  same(`cost of nothing of ${account}`, costly, [])
  const rewards = sumOf([...(await history.rewards(account)).values()], (amount) => amount)
  const profit = sumOf(positions, ({ realised, heldCost }) => realised - heldCost) + rewards
  const flow = sumOf(
    cash.filter(({ reason }) => !PAID_IN.includes(reason)),
    ({ delta }) => delta,
  )
  same(`profit of ${account}`, profit, flow)
}

/** In a form in which two are equal when they tell the same. */
const comparable = ({ orders, ...change }: AccountChange) => ({
  ...change,
  orders: orders.map(({ kind, order }) => ({ kind, order: plain(order) })).sort(byText),
})

async function compareChanges(history: ReadModel, { changes }: Lived, account: Hex): Promise<void> {
  const told: AccountChange[] = []
  for (let isMore = true; isMore; ) {
    const page = await history.accountChanges(account, told.at(-1)?.seq ?? 0, 100)
    told.push(...page)
    isMore = page.length > 0
  }
  const is = changes.filter((change) => change.account === account)
  same(
    `positions of changes of ${account}`,
    told.map(({ seq }) => seq),
    is.map(({ seq }) => seq),
  )
  for (const [n, change] of told.entries()) same(`change of ${account}`, comparable(change), comparable(is[n]!))
}

async function compareConditions(history: ReadModel, { exchange, conditions, fills }: Lived): Promise<void> {
  const told = await history.stats([...conditions], exchange.at)
  for (const id of conditions) {
    const { locked, supply, lastTrade } = exchange.condition(id)!
    const { openInterest, volume, lastPrice, holders } = told.get(id)!
    const held = await Promise.all(([0, 1] as Outcome[]).map((outcome) => history.holders(id, outcome, 1000)))
    const traded = fills.filter(({ condition }) => condition === id)
    const is = { openInterest: locked, lastPrice: lastTrade?.price ?? null, volume: sumOf(traded, ({ taker, lots }) => taker.price * lots) }
    same(`stats of ${id}`, { openInterest, lastPrice, volume }, is)
    same(`holders of ${id}`, holders, held.flat().length)
    same(
      `supply of ${id}`,
      held.map((each) => sumOf(each, ({ lots }) => lots)),
      [supply.yes, supply.no],
    )
  }
}

/** Every affiliate share, with the fee that it is a part of. */
async function compareShares(history: ReadModel, { entries }: Lived): Promise<void> {
  const told = await history.affiliateShares(0, 100_000)
  const is = entries.filter(({ reason }) => reason === 'affiliate')
  same(
    'affiliate shares',
    told.map(({ referrer, amount }) => [referrer, amount]),
    is.map(({ account, delta }) => [account, delta]),
  )
  const greedy = told.filter(({ amount, fee }) => amount > fee)
  same('affiliate shares beyond the fee', greedy, [])
}
