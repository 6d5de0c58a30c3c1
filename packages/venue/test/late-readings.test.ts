import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connection } from '../src/base/postgres.ts'
import { Keys } from '../src/serve/access/keys.ts'
import { OwnerTransactions } from '../src/serve/access/owner-transactions.ts'
import { Wallets } from '../src/serve/access/wallets.ts'
import { type MarketRecord, Markets } from '../src/serve/reference/markets.ts'
import { address, id } from './commands.ts'
import { clobDatabase } from './fixture.ts'

const [ANN, BOB] = [address('ann'), address('bob')]
const wish = { owner: ANN, nonce: 0n, scope: undefined, name: undefined, deployment: null }

/** A pool whose next answer is under way for as long as a test says. */
async function slowPool() {
  const db = new pg.Pool({ ...connection(await clobDatabase(), 'edge'), max: 4 })
  onTestFinished(() => db.end())
  let gate: { answered: () => void; passed: Promise<void> } | null = null
  const query = db.query.bind(db) as (...asked: unknown[]) => Promise<unknown>
  db.query = (async (...asked: unknown[]) => {
    const held = gate
    gate = null
    const answer = await query(...asked)
    held?.answered()
    await held?.passed
    return answer
  }) as unknown as typeof db.query
  /** Holds the next answer; resolves when the database has given it. */
  const hold = () => {
    const [answered, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    gate = { answered: answered.resolve, passed: passed.promise }
    return { answered: answered.promise, letGo: passed.resolve }
  }
  return { db, hold }
}

/** A key that was revoked while it was read; `letGo` resolves when what was read before has arrived. */
async function revokedWhileRead() {
  const { db, hold } = await slowPool()
  const keys = await Keys.load(db, new OwnerTransactions(db), 's'.repeat(32))
  const { apiKey } = await keys.create(wish)
  const held = hold()
  const reading = keys.reload(apiKey)
  await held.answered
  await keys.revoke(keys.find(apiKey)!)
  const letGo = () => {
    held.letGo()
    return reading
  }
  return { keys, apiKey, letGo }
}

test('a key that was revoked lives no more, whatever was read of it before', async () => {
  const { keys, apiKey, letGo } = await revokedWhileRead()
  await letGo()
  expect(keys.find(apiKey)).toBeNull()
  const next = await keys.create(wish)
  expect([next.apiKey !== apiKey, keys.of(ANN).map(({ key }) => key)]).toEqual([true, [next.apiKey]])
})

test('of a nonce only its newest key lives, whatever was read before that was made', async () => {
  const { keys, apiKey, letGo } = await revokedWhileRead()
  const next = await keys.create(wish)
  await letGo()
  expect([keys.find(apiKey), keys.of(ANN).map(({ key }) => key), keys.derive(ANN, 0n)]).toEqual([null, [next.apiKey], next])
})

test('keys of another secret of the server live no more, and those after them have numbers of their own', async () => {
  const { db } = await slowPool()
  const before = await Keys.load(db, new OwnerTransactions(db), 's'.repeat(32))
  const old = await before.create(wish)
  const after = await Keys.load(db, new OwnerTransactions(db), 't'.repeat(32))
  expect(after.find(old.apiKey)).toBeNull()
  const made = await after.create(wish)
  expect(after.find(made.apiKey)?.generation).toBe(1)
  const again = await Keys.load(db, new OwnerTransactions(db), 't'.repeat(32))
  expect([again.derive(ANN, 0n), again.of(ANN).map(({ key }) => key)]).toEqual([made, [made.apiKey]])
})

test('a released wallet has no owner, whatever was read of it before', async () => {
  const { db, hold } = await slowPool()
  const wallets = await Wallets.load(db, new OwnerTransactions(db))
  await wallets.register({ address: BOB, owner: ANN, signatureType: 1 }, 'claim')
  const held = hold()
  const reading = wallets.reload(BOB)
  await held.answered
  const released = wallets.release(BOB)
  held.letGo()
  await Promise.all([reading, released])
  expect([wallets.accountOf(BOB), wallets.of(ANN)]).toEqual([BOB, []])
})

test('of a market a standby shows what was changed last, whatever was read of it before', async () => {
  const { db, hold } = await slowPool()
  const record = (questionSlug: string) =>
    ({ condition: id('rain'), creator: ANN, content: id('content'), questionSlug, tokens: ['1', '2'] }) as unknown as MarketRecord
  const [writer, standby] = [await Markets.load(db), await Markets.load(db)]
  await writer.add(record('first'))
  const held = hold()
  const reading = standby.reload(id('rain'))
  await held.answered
  await writer.update(record('second'))
  const again = standby.reload(id('rain'))
  await Promise.race([again, wait(500)]) // it may have to wait for the first
  held.letGo()
  await Promise.all([reading, again])
  expect(standby.market(id('rain'))?.questionSlug).toBe('second')
})
