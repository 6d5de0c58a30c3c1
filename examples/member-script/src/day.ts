import { RefusedError } from '@augury/client/answer'
import { enableTrading } from '@augury/client/enable-trading'
import { type PlatformClient, platformClient } from '@augury/client/platform'
import { venueClient } from '@augury/client/rest'
import { SecondFactorNeeded, signIn } from '@augury/client/sign-in'
import { totpCode } from '@augury/client/totp'
import type { PrivateKeyAccount } from 'viem/accounts'

/** How often, and after how many milliseconds each, the news are read again. */
const NEWS_PATIENCE = 180
const NEWS_PAUSE_MS = 500

/** Where things are. */
export interface Places {
  /** Address of the site. */
  site: string
  /** Address of its exchange. */
  exchange: string
}

/** What a member did and saw. */
export interface Day {
  orders: { placed: string; openAfterPlacing: string[]; openAfterCancelling: string[]; boughtState: string }
  /** What signing in by the wallet alone came to once the second factor was on. */
  refused: string
  notifications: string[]
}

/** From signing in to reading the notifications; `say` hears of each step. */
export async function spendDay(places: Places, wallet: PrivateKeyAccount, say: (text: string) => void): Promise<Day> {
  const exchange = venueClient({ url: places.exchange })
  const { chain_id: chainId } = await exchange.getStatus()
  const first = await signIn({ url: places.site, wallet, chainId })
  say(`signed in as ${first.user.address}`)
  const { balance } = await exchange.faucet({ body: { address: wallet.address, amount: '100' } })
  say(`the faucet gave ${balance} USDC`)

  const context = await enableTrading({ site: platformClient({ url: places.site, token: first.token }), wallet })
  const here = { url: places.site, context: context ?? undefined }
  const site = platformClient({ ...here, token: first.token })
  say('the site may sign orders for this script')
  const orders = await trade(site, say)

  const { otpauthUri, recoveryCodes } = await site.enrollTwoFactor()
  await site.confirmTwoFactor({ body: { code: await totpCode(otpauthUri) } })
  const refused = await signIn({ url: places.site, wallet, chainId }).then(
    () => 'signed in',
    (error) => (error instanceof SecondFactorNeeded ? 'the second factor is needed' : Promise.reject(error)),
  )
  say(`with the second factor on, the wallet alone: ${refused}`)
  const secondFactor = async () => ({ recoveryCode: recoveryCodes[0]! })
  const again = await signIn({ url: places.site, wallet, chainId, secondFactor })
  const told = await readNews(platformClient({ ...here, token: again.token }), orders.boughtState === 'filled')
  for (const { title, description } of told) say(`told: ${title}. ${description}`)
  return { orders, refused, notifications: told.map(({ title }) => title) }
}

/** Reads the member's notifications. The worker adds one of a fill within a minute; an open page gets it at once. */
async function readNews(site: PlatformClient, traded: boolean) {
  for (let left = NEWS_PATIENCE; ; left--) {
    const told = await site.listNotifications()
    if (!traded || left === 0 || told.some(({ category }) => category === 'trade')) return told
    await new Promise((resolve) => setTimeout(resolve, NEWS_PAUSE_MS))
  }
}

/** One order that rests and is cancelled, and one that takes what there is. */
async function trade(site: PlatformClient, say: (text: string) => void): Promise<Day['orders']> {
  const [event] = await site.listEvents({ query: { limit: 1 } })
  const market = event?.markets.find(({ is_active }) => is_active)
  if (!market) throw new Error('there is no market to trade in')
  const tokenId = market.outcomes[0]!.token_id
  const open = async () => (await site.listOpenOrders()).data.map(({ id }) => id)

  const { orderId: placed } = await site.placeOrder({ body: { tokenId, side: 'BUY', orderType: 'GTC', price: '0.01', size: '100' } })
  const openAfterPlacing = await open()
  say(`bids 0.01 for 100 Yes of “${market.question}”`)
  await site.cancelOrder({ params: { id: placed } })
  const openAfterCancelling = await open()
  say('cancels it')

  const bought = await site
    .placeOrder({ body: { tokenId, side: 'BUY', orderType: 'FAK', amount: '5' } })
    .then(({ state, takingAmount }) => ({ state, shares: takingAmount }), noMatch)
  say(`buys ${bought.shares} Yes`)
  return { placed, openAfterPlacing, openAfterCancelling, boughtState: bought.state }
}

/** Buys nothing in a book without offers. */
function noMatch(error: unknown) {
  if (error instanceof RefusedError && error.code === 'fak_no_match') return { state: 'rejected', shares: '0' }
  throw error
}
