import { withConnection } from '@augury/testing/connection'
import { expect, test } from 'vitest'
import { send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer({ TRUSTED_PROXIES: '127.0.0.1' })
const rain = await registerMarket(running, 'rain')
const alice = await funded(running.url, wallets.alice, '1000')
await alice.call('POST', '/positions/split', { market: rain.condition, amount: '15' })
await alice.call('GET', '/data/trades') // history has it now

const from = (address: string, target: string) => send(running.url, 'GET', target, undefined, { 'X-Forwarded-For': address })

test('a client that requests many slow lists at once does not delay those of others', async () => {
  const positions = `/positions?user=${wallets.alice.address}`
  await withConnection(running.settings.clobDatabaseUrl, async (client) => {
    await client.query('begin')
    await client.query('lock table position in access exclusive mode')
    const greedy = Array.from({ length: 20 }, () => from('203.0.113.1', positions))
    expect(await from('203.0.113.2', '/trades')).toMatchObject({ status: 200 })
    expect(await alice.call('GET', '/data/trades')).toMatchObject({ status: 200 })
    await client.query('rollback')
    for (const answer of await Promise.all(greedy)) expect(answer).toMatchObject({ status: 200, body: [{ size: 15 }, { size: 15 }] })
  })
})
