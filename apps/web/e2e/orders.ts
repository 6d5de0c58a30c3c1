import { expect, type Page } from '@playwright/test'
import { becomeMember, live, ticketOf } from './member.ts'
import { newTrader, quietMarket, type TestMarket, type Trader } from './trader.ts'

/** Traders who come in over the public API, and `leave` without leaving orders behind. */
export function visitingTraders() {
  let traders: Trader[] = []
  return {
    comeIn: async (): Promise<Trader> => {
      const trader = await newTrader()
      traders.push(trader)
      return trader
    },
    leave: async (): Promise<void> => {
      await Promise.all(traders.map(({ client }) => client.cancelAll()))
      traders = []
    },
  }
}

/** A member, on the page of a market, buys 25 of an outcome at 40¢ from a maker who bids 60¢ for the other one. */
export async function buy(page: Page, market: TestMarket, outcome: 'Yes' | 'No' = 'Yes'): Promise<void> {
  const maker = await newTrader()
  await maker.place({ tokenId: outcome === 'Yes' ? market.no : market.yes, side: 'BUY', price: '0.6', size: '25' })
  await live(page)
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name: `${outcome} 40¢` }).click()
  await ticket.getByRole('button', { name: 'Enter shares instead' }).click()
  await ticket.getByLabel('Shares', { exact: true }).fill('25')
  // The fee on top is that of the market.
  await ticket.getByRole('button', { name: new RegExp(`^Buy ${outcome} · \\$10\\.\\d\\d$`) }).click()
  await expect(ticket.getByRole('status')).toContainText(`Bought 25 ${outcome} at 40¢ on average.`)
}

interface Wish {
  /** Of another site. */
  origin?: string
  /** A market whose result says nothing about other markets. */
  alone?: boolean
}

/** A new member with 25 Yes of a quiet market. */
export async function memberWithShares(page: Page, { origin, alone = false }: Wish = {}): Promise<TestMarket> {
  const market = await quietMarket({ alone })
  await becomeMember(page, market.path, origin)
  await buy(page, market)
  return market
}

/** Writes a limit order, its price in cents, and does not send it. */
export async function writeLimit(page: Page, price: string, shares = '10'): Promise<void> {
  const ticket = ticketOf(page)
  await ticket.getByLabel('Order type').selectOption('limit GTC')
  await ticket.getByLabel('Limit price').fill(price)
  await ticket.getByLabel('Shares', { exact: true }).fill(shares)
}

/** Leaves an order to buy 10 Yes in the book, at a price in cents. */
export async function leaveOrder(page: Page, price: string): Promise<void> {
  await writeLimit(page, price)
  const ticket = ticketOf(page)
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  await expect(ticket.getByRole('status')).toContainText(`10 shares wait in the book at ${price}¢.`)
}
