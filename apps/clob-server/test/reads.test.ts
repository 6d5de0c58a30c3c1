import { openClob } from '@augury/domain/clob/database'
import { venueExamples } from '@augury/wire/documents/examples/venue'
import type { Operation } from '@augury/wire/operation'
import { venueOperations } from '@augury/wire/operations/venue'
import { afterAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { funded, registerMarket } from './market.ts'
import { runningServer, wallets } from './running-server.ts'

const running = await runningServer()
const rain = await registerMarket(running, 'rain')
const alice = await funded(running.url, wallets.alice, '1000')
const venue = await Caller.of(running.url, wallets.operator, 'venue')
const placed = await alice.call('POST', '/order', { tokenId: rain.yes, side: 'BUY', orderType: 'GTC', price: '0.43', size: '10' })
await alice.call('GET', '/data/trades') // history has it now

const orm = await openClob(running.settings.clobDatabaseUrl)
afterAll(() => orm.close())
const ask = (sql: string): Promise<Record<string, string>[]> => orm.em.fork().execute(sql)

/** Everything that the database of the exchange holds, table by table; but for the writer's own lease, and when a key was last used. */
async function state(): Promise<Record<string, unknown>> {
  const tables = await ask(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'lease'`,
  )
  const hashes: [string, unknown][] = []
  for (const { name } of tables) {
    const row = `(to_jsonb(t) - 'last_used')::text`
    const [found] = await ask(`select md5(coalesce(string_agg(${row}, ',' order by ${row}), '')) as hash from "${name}" t`)
    hashes.push([name!, found!.hash])
  }
  return Object.fromEntries(hashes)
}

const reads = Object.entries<Operation>(venueOperations).filter(([, { method, auth }]) => method === 'GET' && auth !== 'wallet')
const known: Record<string, string> = { token_id: rain.yes, id: placed.body.orderId, address: wallets.alice.address }
/** The example of a read, about what is there. */
function target(name: string, { path }: Operation): string {
  const query = Object.entries((venueExamples[name]?.query ?? {}) as Record<string, unknown>)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
    .join('&')
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => known[key] ?? rain.condition)
  return `${filled}${query && `?${query}`}`
}

test('a read changes nothing, for any reader', async () => {
  const { seq } = (await send(running.url, 'GET', '/status')).body
  const before = await state()
  let answered = 0
  for (const [name, operation] of reads) {
    const replies = [
      await send(running.url, 'GET', target(name, operation)),
      await alice.call('GET', target(name, operation)),
      await venue.call('GET', target(name, operation)),
    ]
    if (replies.some(({ status }) => status === 200)) answered++
  }
  expect(await state()).toEqual(before)
  expect((await send(running.url, 'GET', '/status')).body.seq).toBe(seq)
  expect(answered).toBeGreaterThan(reads.length / 2)
})
