import { type Answered, Browser, walletOf } from './browser.ts'
import { enable, fund, type TradingSite } from './exchange.ts'

let wallets = 5000

/** Cookie of a device on which trading was enabled. */
export const CONTEXT = '__Host-augury_context'
/** What a device is answered on which it was not. */
export const notEnabled = { status: 403, body: { error: 'Enable trading to continue.', code: 'trading_not_enabled' } }

/** Somebody who has signed in; somebody new unless told. */
export async function signedIn(at: TradingSite, wallet = walletOf(++wallets)) {
  const browser = new Browser(at)
  const { user, token } = (await browser.signIn(wallet)).body
  return { browser, wallet, user, token }
}

/** Somebody new with money whose device may trade. */
export async function trader(at: TradingSite, amount = '100') {
  const member = await signedIn(at)
  const answer = await enable(member.browser, member.wallet)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await fund(at, member.wallet.address, amount)
  return member
}

/** A limit order that buys. */
export const order = (tokenId: string, price: string, size: string) => ({ tokenId, side: 'BUY', orderType: 'GTC', price, size })

export const place = (browser: Browser, body: unknown): Promise<Answered> => browser.post('/api/orders', body)

/** Titles of what a member was told, newest first. */
export const titles = async (browser: Browser): Promise<string[]> =>
  (await browser.get('/api/notifications')).body.map(({ title }: { title: string }) => title)
