import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { durableDatabase } from '@augury/testing/database'
import { eventually } from '@augury/testing/eventually'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { createApiKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'
import { MarketStream, marketStreamUrl } from '../src/stream.ts'
import { venueTrpcClient } from '../src/trpc.ts'
import { UserStream, userStreamUrl } from '../src/user-stream.ts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const bot = privateKeyToAccount(`0x${'0f'.repeat(32)}`)
const LIMIT = 180_000 // two programs begin

/** A writer and a standby of one database, with one market; `addresses` are those of both. */
async function writerAndStandby() {
  const databaseUrl = await durableDatabase('clob', migrateClob)
  const shared = { databaseUrl, operator: operator.address, dataDir: temporaryFolder('client-takeover') }
  const writer = await startClobServerProcess(shared)
  onTestFinished(() => void writer.stop('SIGKILL'))
  const standby = await startClobServerProcess({ ...shared, standby: true, environment: { PUBLIC_CLOB_URL: writer.url } })
  onTestFinished(() => void standby.stop('SIGKILL'))
  const addresses = [writer.url, standby.url]
  const apiKey = await createApiKey({ url: addresses, wallet: operator, scope: 'venue' })
  await venueClient({ url: addresses, apiKey }).registerCondition({ body: conditionRequest('rain') })
  return { writer, addresses }
}

test('when the writer dies, orders and all streams go on with its standby, and nothing is missing or twice', {
  timeout: LIMIT,
}, async () => {
  const { writer, addresses: url } = await writerAndStandby()
  const apiKey = await createApiKey({ url, wallet: bot })
  const client = venueClient({ url, apiKey })
  await client.faucet({ body: { address: bot.address, amount: '100' } })
  const market = (await client.listSamplingMarkets()).data[0]!
  const bid = (price: string) => ({ tokenId: market.tokens[0]!.token_id, side: 'BUY', orderType: 'GTC', price, size: '10' }) as const

  let bids: string[] = []
  const books = new MarketStream({ url: url.map(marketStreamUrl) })
  onTestFinished(() => books.close())
  books.follow(market, (book) => {
    bids = book.levels(0).bids.map(({ price }) => price)
  })
  const own: string[] = []
  const onEvent = (event: { event_type: string; price: string }) => void own.push(`${event.event_type} ${event.price}`)
  const events = new UserStream({ url: url.map(userStreamUrl), apiKey, client, onEvent })
  onTestFinished(() => events.close())
  const subscribed: string[] = []
  const trpc = venueTrpcClient({ url, apiKey })
  const { unsubscribe } = trpc.onUser.subscribe(
    {},
    {
      onData({ data }) {
        for (const message of data) if (message.event_type === 'order') subscribed.push(`order ${message.price}`)
      },
    },
  )
  onTestFinished(unsubscribe)
  await eventually(() => expect([books.status, events.status]).toEqual(['live', 'live']))

  const { orderId } = await client.placeOrder({ body: { ...bid('0.3'), clientOrderId: 'before' } })
  await eventually(() => expect([bids, own, subscribed]).toEqual([['0.3'], ['order 0.3'], ['order 0.3']]))
  await writer.stop('SIGKILL')
  // The same name each time: whatever became of an attempt, it is one order.
  await eventually(() => client.placeOrder({ body: { ...bid('0.4'), clientOrderId: 'after' } }))
  expect((await client.getOrder({ params: { id: orderId } })).state).toBe('live')
  expect((await trpc.listOrders.query()).data).toHaveLength(2)
  const both = ['order 0.3', 'order 0.4']
  await eventually(() => expect([bids, own, subscribed]).toEqual([['0.4', '0.3'], both, both]))
})
