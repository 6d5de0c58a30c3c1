import { migrateClob } from '@augury/domain/clob/database'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import type { SiteSettings } from '@augury/platform/site/site'
import { loginTypedData } from '@augury/signing/login'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { query } from '@augury/testing/connection'
import { durableDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { hostClock } from '@augury/venue/base/clock'
import { acceptRestored, HighWater } from '@augury/venue/record/log/high-water'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll } from 'vitest'
import type { Answered, Browser, Unusual } from './browser.ts'
import { type TestSite, testSite } from './test-site.ts'

/** Key of the deployment's own wallet. */
export const WALLET = `0x${'0e'.repeat(32)}` as const
const EVENTS = [
  ['rain', 'Will it rain?'],
  ['snow', 'Will it snow?'],
] as const

/** A deployment with a real exchange and two events of one market each. */
export interface TradingSite extends TestSite {
  clobUrl: string
  /** Condition and Yes token by the slug of the event. */
  markets: Record<'rain' | 'snow', { event: string; condition: string; yes: string; no: string }>
  /** Stops the exchange. */
  stopExchange(): Promise<void>
  /** Copies the exchange's database. Returns a function that restores the copy as an operator would, and restarts the exchange. */
  backUpExchange(): Promise<() => Promise<void>>
}

/** Opens a deployment and its exchange, which are closed after the tests of the file. `environment` is the exchange's. */
export async function tradingSite(
  environment: Readonly<Record<string, string>> = {},
  more: Partial<SiteSettings> = {},
): Promise<TradingSite> {
  const databaseUrl = await durableDatabase('clob', migrateClob)
  const operator = privateKeyToAccount(WALLET)
  const settings = { databaseUrl, operator: operator.address, environment, port: await freePort(), dataDir: temporaryFolder('exchange') }
  let server = await startClobServerProcess(settings)
  afterAll(() => server.remove())
  const backUpExchange = async () => {
    const maintenance = new URL('/postgres', databaseUrl).href
    const database = new URL(databaseUrl).pathname.slice(1)
    await server.stop()
    await query(maintenance, `create database ${database}_backup template ${database}`)
    server = await startClobServerProcess(settings)
    return async () => {
      await server.stop()
      await query(maintenance, `drop database ${database} with (force)`)
      await query(maintenance, `alter database ${database}_backup rename to ${database}`)
      await acceptRestored(databaseUrl, 'main', new HighWater(settings.dataDir, 'main', hostClock), () => {})
      server = await startClobServerProcess(settings)
    }
  }
  const at = await testSite({ clobUrl: server.url, publicClobUrl: server.url, platformWalletKey: WALLET, ...more })
  const { exchange } = await at.site.exchange.operator()
  await importCatalogue(at.site, {
    text: JSON.stringify(EVENTS.map(([slug, title]) => listing(slug, title))),
    creator: operator.address,
    register: (body) => exchange.registerCondition({ body }),
  })
  const rows = await at.rows(
    `select event.slug, event.id as event, condition_id as condition, yes.token_id as yes, no.token_id as no from event join market on event_id = event.id
     join outcome yes on yes.market_condition_id = condition_id and yes.index = 0
     join outcome no on no.market_condition_id = condition_id and no.index = 1`,
  )
  const markets = Object.fromEntries(rows.map(({ slug, ...market }) => [slug, market])) as unknown as TradingSite['markets']
  return { ...at, clobUrl: server.url, markets, stopExchange: async () => void (await server.stop()), backUpExchange }
}

const listing = (slug: string, title: string) => ({
  slug,
  title,
  endDate: '2099-12-31T00:00:00Z',
  tags: [{ slug: 'weather', label: 'Weather' }],
  markets: [{ question: title, slug: `${slug}-market`, outcomes: '["Yes", "No"]', outcomePrices: '["0.5", "0.5"]' }],
})

/** Gives an account play money of the sandbox. */
export async function fund(at: TradingSite, address: string, amount: string): Promise<void> {
  const body = JSON.stringify({ address, amount })
  const { status } = await fetch(`${at.clobUrl}/sandbox/faucet`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (status !== 200) throw new Error(`the faucet answered ${status}`)
}

/** The signed request to enable trading; `change` overrides parts of it. */
export async function enabling(
  browser: Browser,
  wallet: PrivateKeyAccount,
  change: { host?: string; seconds?: number } = {},
): Promise<Record<string, string>> {
  const { login } = (await browser.get('/api/trading-credentials')).body
  const timestamp = String(Math.floor(Date.now() / 1000) + (change.seconds ?? 0))
  const { address } = wallet
  const signature = await wallet.signTypedData(
    loginTypedData({
      ...{ chainId: login.chainId, address, host: change.host ?? login.host, method: 'POST', path: login.path, timestamp },
      nonce: BigInt(login.nonce),
    }),
  )
  return { set: 'clob', address, timestamp, nonce: login.nonce, signature }
}

/** Enables trading on the browser's device. */
export const enable = async (browser: Browser, wallet: PrivateKeyAccount, unusual?: Unusual): Promise<Answered> =>
  browser.post('/api/trading-credentials', await enabling(browser, wallet), unusual)
