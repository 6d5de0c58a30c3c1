import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import { registerMarkets } from '../src/catalogue/register-markets.ts'
import { storeListing } from '../src/catalogue/store-listing.ts'
import { openExchange } from '../src/exchange/exchange-access.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { proposeResolution } from '../src/resolution/decide.ts'
import { resolutionHistory } from '../src/resolution/history.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import { windowListing, windowSlug } from '../src/series/window-listing.ts'
import { testPlatform } from './test-platform.ts'

const KEY = `0x${'0e'.repeat(32)}` as const
const HOUR = 3_600_000
/** A window of a series in the future of the real exchange, which has its own clock. */
const END = Math.ceil(Date.now() / HOUR) * HOUR + HOUR
const bitcoin = { slug: 'btc-usd-1h', displayName: 'Bitcoin', instrument: 'BTC/USD', interval: '1h', category: 'crypto' } as const
const slug = windowSlug(bitcoin, END)

const { platform } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
const databaseUrl = await durableDatabase('clob', migrateClob)
const server = await startClobServerProcess({ databaseUrl, operator: privateKeyToAccount(KEY).address })
afterAll(() => server.remove())
const exchange = openExchange({ clobUrl: server.url, platformWalletKey: KEY })
const operator = async () => (await exchange.operator()).exchange

const [ann, bob] = [privateKeyToAccount(`0x${'0a'.repeat(32)}`), privateKeyToAccount(`0x${'0b'.repeat(32)}`)]
const clients: VenueClient[] = []
let condition = ''

beforeAll(async () => {
  const client = await operator()
  await storeListing(platform, exchange.operatorAddress, windowListing({ ...bitcoin, feed: 'Feed', isSimulated: true }, END))
  await registerMarkets(platform, exchange.operatorAddress, (body) => client.registerCondition({ body }))
  const [up, down] = await rows<{ condition: string; token: string }>(
    'select market_condition_id as condition, token_id as token from outcome order by index',
  )
  condition = up!.condition
  for (const [index, wallet] of [ann, bob].entries()) {
    clients.push(venueClient({ url: server.url, apiKey: await createApiKey({ url: server.url, wallet, nonce: 0n }) }))
    await clients[index]!.faucet({ body: { address: wallet.address, amount: '100' } })
    await rows('insert into users (address, affiliate_code) values (?, ?)', [wallet.address.toLowerCase(), `trader0${index}`])
  }
  const buy = (trader: VenueClient, tokenId: string, price: string, size: string) =>
    trader.placeOrder({ body: { tokenId, side: 'BUY', orderType: 'GTC', price, size } })
  await buy(clients[0]!, up!.token, '0.6', '10')
  await buy(clients[1]!, down!.token, '0.4', '10')
  await buy(clients[0]!, up!.token, '0.2', '50') // rests, and is cancelled by the result
})

const money = async (client: VenueClient) => {
  const { available, reserved } = await client.getBalance({ query: { asset_type: 'COLLATERAL' } })
  return [Number(available) / 1e6, Number(reserved) / 1e6]
}

test('a final result ends orders and pays holders on the exchange, and members are notified', async () => {
  const job = settlementJob(operator, exchange.operatorAddress)
  const settle = () => runJob(platform, workerScheduler('test'), job)
  const [user] = await rows<{ id: string }>('select id from users limit 1')
  const by = { kind: 'operator', userId: user!.id, address: ann.address, named: [] } as const
  await platform
    .em()
    .transactional((em) => proposeResolution(em, by, { conditionId: condition, weight: 10_000, disputeSeconds: 0 }, platform.now()))

  await eventually(async () => {
    expect(await settle()).toMatchObject({ success: true, errors: 0 })
    const [{ paid_at } = { paid_at: null }] = await rows<{ paid_at: string | null }>(
      'select paid_at from settlement where market_condition_id = ?',
      [condition],
    )
    expect(paid_at).not.toBeNull()
  })

  expect(await money(clients[0]!)).toEqual([104, 0])
  const [bobHas, bobHeld] = await money(clients[1]!)
  expect(bobHeld).toBe(0)
  expect(bobHas).toBeLessThanOrEqual(96)
  expect(bobHas).toBeGreaterThan(95) // less the taker fee
  const shown = await exchange.anybody.getMarket({ params: { condition_id: condition } })
  expect(shown).toMatchObject({ mode: 'resolved', resolution_status: 'confirmed', resolution_price: 1 })
  expect(
    await rows('select title, description from notification join users on users.id = user_id order by address = ? desc', [
      ann.address.toLowerCase(),
    ]),
  ).toEqual([
    { title: 'You are paid', description: expect.stringMatching(/^Bitcoin up or down: .*: Up\. 10 Up pay \$10\.00\.$/) },
    { title: 'Market resolved', description: expect.stringMatching(/: Up\. 10 Down pay nothing\.$/) },
  ])
  const [history] = await resolutionHistory(platform, { slug })
  expect(history!.steps.map(({ step }) => step)).toEqual(['proposed', 'confirmed', 'closed', 'settled', 'paid'])
  expect(await rows(`select status from event where slug = ?`, [slug])).toEqual([{ status: 'resolved' }])
  expect(await settle()).toMatchObject({ success: true, errors: 0 })
})
