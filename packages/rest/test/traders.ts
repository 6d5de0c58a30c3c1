import { type Answered, Browser, walletOf } from './browser.ts'
import { enable, fund, type TradingSite } from './exchange.ts'

let wallets = 5000

/** Cookie of a device on which trading was enabled. */
export const CONTEXT = '__Host-augury_context'
/** The refusal on a device without trading enabled. */
export const notEnabled = { status: 403, body: { error: 'Enable trading to continue.', code: 'trading_not_enabled' } }

/** Signs a member in; a new one by default. */
export async function signedIn(at: TradingSite, wallet = walletOf(++wallets)) {
  const browser = new Browser(at)
  const { user, token } = (await browser.signIn(wallet)).body
  return { browser, wallet, user, token }
}

/** A new member with funds and trading enabled. */
export async function trader(at: TradingSite, amount = '100') {
  const member = await signedIn(at)
  const answer = await enable(member.browser, member.wallet)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await fund(at, member.wallet.address, amount)
  return member
}

/** A limit order to buy. */
export const order = (tokenId: string, price: string, size: string) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

export const place = (browser: Browser, body: unknown): Promise<Answered> => browser.post('/api/orders', body)

/** Titles of a member's notifications, newest first. */
export const titles = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
