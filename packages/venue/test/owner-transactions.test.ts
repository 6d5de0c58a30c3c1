import { drop } from '@augury/domain/pool'
import type { Hex } from '@augury/engine/command'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connect, connection } from '../src/base/postgres.ts'
import { Keys } from '../src/serve/access/keys.ts'
import { OwnerTransactions } from '../src/serve/access/owner-transactions.ts'
import { address } from './commands.ts'
import { clobDatabase } from './fixture.ts'

const [ANN, BOB] = [address('ann'), address('bob')]
const wish = (owner: Hex, nonce: number) => ({ owner, nonce: BigInt(nonce), scope: undefined, name: undefined, deployment: null })

/** Keys over the pool of a process, beside another process, which is in the middle of what it does for some owners. */
async function besideAnother(busy: readonly Hex[]) {
  const url = await clobDatabase()
  const db = new pg.Pool({ ...connection(url, 'edge'), max: 4 })
  const other = await connect(connection(url, 'another process'))
  onTestFinished(async () => {
    drop(other)
    await db.end()
  })
  await other.query('begin')
  for (const owner of busy) await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [owner])
  return { keys: await Keys.load(db, new OwnerTransactions(db), 's'.repeat(32)), letGo: () => other.query('commit') }
}

test('a wallet that asks for many keys at once does not delay others', async () => {
  const { keys, letGo } = await besideAnother([ANN])
  const asked = Array.from({ length: 30 }, (_, nonce) => keys.create(wish(ANN, nonce)))
  const bobs = await keys.create(wish(BOB, 0))
  expect((await keys.listed(BOB)).map(({ apiKey }) => apiKey)).toEqual([bobs.apiKey])
  await letGo()
  expect(new Set((await Promise.all(asked)).map(({ apiKey }) => apiKey)).size).toBe(30)
})

test('however many wallets have to wait, what else there is to answer is answered', async () => {
  const crowd = Array.from({ length: 12 }, (_, n) => address(`one of many ${n}`))
  const { keys, letGo } = await besideAnother(crowd)
  const asked = crowd.map((owner) => keys.create(wish(owner, 0)))
  expect(await keys.listed(BOB)).toEqual([])
  await letGo()
  const made = await Promise.all(asked)
  for (const [n, owner] of crowd.entries()) expect(keys.of(owner).map(({ key }) => key)).toEqual([made[n]!.apiKey])
})

test('a failed one does not delay others', async () => {
  const { keys } = await besideAnother([])
  const tries = Array.from({ length: 120 }, (_, nonce) => keys.create(wish(ANN, nonce)))
  const done = await Promise.allSettled(tries)
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
  expect((await keys.create(wish(BOB, 0))).apiKey).toEqual(expect.any(String))
})
