import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'
import { exchangeWithMarket } from './exchange.ts'

let exchange: Awaited<ReturnType<typeof exchangeWithMarket>>
beforeAll(async () => {
  exchange = await exchangeWithMarket()
})
afterAll(() => exchange?.close())

test.concurrent.each([
  ['cancelAfter', 'heartbeat', '0a'],
  ['postHeartbeat', 'heartbeat', '0b'],
  ['cancelOnDisconnect', 'disconnect', '0c'],
])('a bot kept alive by %s keeps its orders, which are cancelled once it is killed', async (way, reason, digits) => {
  const { url } = exchange
  const wallet = privateKeyToAccount(`0x${digits.repeat(32)}`)
  const apiKey = await createApiKey({ url, wallet })
  const client = venueClient({ url, apiKey })
  await client.faucet({ body: { address: wallet.address, amount: '100' } })
  const { data } = await client.listSamplingMarkets()
  const told = [url, JSON.stringify(apiKey), data[0]!.tokens[0]!.token_id, way]
  const bot = startChild(process.execPath, [join(import.meta.dirname, 'silent-bot.ts'), ...told])
  const [, id = ''] = await bot.waitFor(/placed (\w+)/)
  await bot.waitFor(/alive 8\n/) // longer than it may be silent
  expect((await client.getOrder({ params: { id } })).state).toBe('live')
  await bot.stop('SIGKILL')
  await eventually(async () =>
    expect(await client.getOrder({ params: { id } })).toMatchObject({ state: 'cancelled', cancel_reason: reason }),
  )
})
