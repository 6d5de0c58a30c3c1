import { createApiKey, createTradingKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { openPlatform } from '@augury/platform/site/platform'
import { webSettings } from '@augury/settings/env'
import { chromium, expect, type Page, test } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { launchOptions } from './browser.ts'
import { ticketOf } from './member.ts'
import { listens, open } from './open.ts'
import { giveWallet } from './own-wallet.ts'
import { tlsFront } from './tls-front.ts'

const settings = webSettings()
const { origin, publicClobUrl, clobUrl: url, chainId, platformWalletKey, databaseUrl } = settings
const EVENT = '/event/rain-in-oslo'
/** How clients inside the deployment sign for the exchange: it is reached at another address than the public one. */
const inside = { url, host: new URL(publicClobUrl).host, chainId }

/** The deployment's wallet as the manager of the exchange, by a key like that which an operator makes by hand. */
const manager = async () => {
  const wallet = privateKeyToAccount(platformWalletKey)
  return venueClient({ url, apiKey: await createApiKey({ ...inside, wallet, nonce: 3n, scope: 'venue' }) })
}
const deposit = async (address: string, amount: string) =>
  (await manager()).deposit({ body: { address: address as `0x${string}`, amount, ref: crypto.randomUUID() } })

/** Registers a market as an import does. */
async function openMarket() {
  const exchange = await manager()
  const platform = await openPlatform(databaseUrl)
  try {
    const market = {
      question: 'Will it rain in Oslo?',
      slug: 'rain-in-oslo-market',
      outcomes: '["Yes", "No"]',
      outcomePrices: '["0.5", "0.5"]',
    }
    const event = { slug: 'rain-in-oslo', title: 'Will it rain in Oslo?', endDate: '2099-12-31T00:00:00Z', markets: [market] }
    await importCatalogue(platform, {
      text: JSON.stringify([{ ...event, tags: [{ slug: 'weather', label: 'Weather' }] }]),
      creator: privateKeyToAccount(platformWalletKey).address,
      register: (body) => exchange.registerCondition({ body }),
    })
  } finally {
    await platform.close()
  }
  const { data } = await exchange.listMarkets({ query: {} })
  return data.find(({ market_slug }) => market_slug === 'rain-in-oslo-market')!
}

/** A bot of the client's own functions bids 0.40 for No, so that Yes is offered at 0.60. */
async function offerYes(noToken: string) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const bot = venueClient({ url, apiKey: await createTradingKey({ ...inside, wallet }) })
  await deposit(wallet.address, '100000000')
  const placed = await bot.placeOrder({ body: { tokenId: noToken, side: 'BUY', orderType: 'GTC', price: '0.4', size: '100' } })
  expect(placed).toMatchObject({ state: 'live' })
}

/** Reads from the site in the page: only its browser knows where the hosts are. */
const read = (page: Page, path: string) => page.evaluate(async (from) => (await fetch(from)).json(), path)
const proxyWallet = (page: Page) => read(page, '/api/proxy-wallet')
const walletButton = (page: Page) => page.getByRole('button', { name: /^Journey wallet/ })

test('with the defaults of a deployment: from signing in to a filled order', async () => {
  test.slow()
  const { tokens } = await openMarket()
  await offerYes(tokens[1]!.token_id)
  const front = await tlsFront({ [origin]: `http://127.0.0.1:${settings.webPort}`, [publicClobUrl]: url })
  const options = await launchOptions()
  const browser = await chromium.launch({ ...options, args: [...(options.args ?? []), front.browserFlag] })
  try {
    const page = await browser.newPage({ baseURL: origin, ignoreHTTPSErrors: true, locale: 'en', timezoneId: 'UTC' })
    const wallet = await giveWallet(page, chainId)
    await signInAndEnable(page, wallet)
    await deposit(wallet.address, '25000000')
    await buy(page)
  } finally {
    await browser.close()
    front.close()
  }
})

async function signInAndEnable(page: Page, wallet: Awaited<ReturnType<typeof giveWallet>>) {
  await open(page, `/login?next=${EVENT}`)
  await walletButton(page).click()
  await expect(page).toHaveURL((at) => at.pathname === EVENT)
  await listens(page)
  await ticketOf(page).getByRole('button', { name: 'Set up trading' }).click()
  wallet.declineNext('CreateProxy')
  await walletButton(page).click()
  // Trading is enabled but for the proxy wallet: the way back is the choice of a wallet, which is asked for that alone.
  await expect(page.getByText('You declined the request in your wallet. No money moved.')).toBeVisible()
  expect(await proxyWallet(page)).toMatchObject({ proxy_wallet_status: 'not_started' })
  await expect(page.getByText('One step is left')).toBeVisible()
  await walletButton(page).click()
  const addFunds = ticketOf(page).getByRole('button', { name: 'Add funds' })
  await expect(addFunds).toBeVisible()
  expect(wallet.asked).toEqual(['message', 'ApiKeyRequest', 'CreateProxy', 'CreateProxy'])
  const { proxy_wallet_address, proxy_wallet_status } = await proxyWallet(page)
  expect(proxy_wallet_status).toBe('signed')

  await addFunds.click()
  await expect(page.getByText('The operator of this site credits what you pay in.')).toBeVisible()
  await page.getByRole('link', { name: 'See how to add funds' }).click()
  await expect(page.getByRole('region', { name: 'Add funds' })).toContainText(wallet.address)
  expect(await page.content()).not.toContain(proxy_wallet_address)
}

async function buy(page: Page) {
  await open(page, EVENT)
  const ticket = ticketOf(page)
  await ticket.getByLabel('Amount').fill('6')
  await ticket.getByRole('button', { name: /^Buy Yes/ }).click()
  const confirm = ticket.getByRole('button', { name: /Confirm|^Buy Yes/ })
  await expect(async () => {
    const { result } = await read(page, `/trpc/listPositions?input=${encodeURIComponent('{"query":{}}')}`)
    if (result.data.length === 0) await confirm.click({ timeout: 2_000 })
    expect(result.data).toMatchObject([{ outcome: 'Yes', size: expect.any(Number) }])
  }).toPass({ timeout: 30_000 })
}
