import { createHash, createPublicKey, verify } from 'node:crypto'
import { encodeRow } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { NO_ROOT, type StateRoot, stateRootText } from '@augury/signing/state-root'
import { assetBytes, holderOf, recordAt } from '@augury/signing/state-tree'
import { query } from '@augury/testing/connection'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { liabilitiesOf, nodeSha256, saltOf } from '../src/record/history/liabilities.ts'
import { proofKey } from '../src/record/history/proof-keys.ts'
import { readBalanceProof } from '../src/record/history/read-state-roots.ts'
import { TREES_KEPT } from '../src/record/history/state-roots.ts'
import { Damaged } from '../src/record/log/replica.ts'
import type { Venue } from '../src/record/venue.ts'
import { address, deposit, id } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'
import { ACCOUNTS, randomCommands } from './random-commands.ts'

const secret = Buffer.alloc(32, 7)
const seeds = ['0b'.repeat(32), '0a'.repeat(32)]
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')

function played(seed: number, count: number): Exchange {
  const exchange = new Exchange()
  let at = 1
  for (const command of [...randomCommands(seed, count), ...ending()]) exchange.applyRow({ at: at++, commands: encodeRow([command]) })
  return exchange
}

/** Money on its way out, and some that came back. */
const ending = (): Command[] => [
  { type: 'withdraw', account: address('ann'), amount: 1_000_000, ref: id('out') },
  { type: 'withdraw', account: address('bob'), amount: 2_000_000, ref: id('gone') },
  { type: 'end_withdrawal', ref: id('gone'), outcome: 'settled' },
]

test.each([1, 2, 3, 4, 5, 6])('leaves add up to what the exchange keeps, and hold what everybody has (seed %i)', (seed) => {
  const exchange = played(seed, 300)
  const { tree, usdc, locked, converted, custody } = liabilitiesOf(exchange, secret)!
  expect(usdc + locked + converted).toBe(custody)
  expect(custody).toBe(exchange.state.supply)
  const leaves = new Map<string, number>()
  for (const { asset, holders, total, records } of tree.assets) {
    const sums = Array.from({ length: holders }, (_, at) => recordAt(records, at))
    expect(sums.reduce((sum, leaf) => sum + leaf.sum, 0)).toBe(total.sum)
    for (const { hash, sum } of sums) leaves.set(`${Buffer.from(asset).toString('hex')} ${Buffer.from(hash).toString('hex')}`, sum)
  }
  const has = (name: string, token: { condition: Hex; outcome: 0 | 1 } | null) => {
    const [account, asset] = [bytes(address(name)), assetBytes(token)]
    const holder = holderOf(nodeSha256, saltOf(secret, account), account, asset)
    return leaves.get(`${Buffer.from(asset).toString('hex')} ${Buffer.from(holder).toString('hex')}`) ?? 0
  }
  for (const name of [...ACCOUNTS, 'creator']) {
    const { free, held, withdrawing } = exchange.balance(address(name))
    expect(has(name, null)).toBe(free + held + withdrawing)
    for (const outcome of [0, 1] as const) {
      const shares = exchange.shares(address(name), id('rain'), outcome)
      expect(has(name, { condition: id('rain'), outcome })).toBe(shares.free + shares.held)
    }
  }
  expect(has('unknown', null)).toBe(0)
})

test('nothing is signed of a state that does not add up', () => {
  const [rich, diluted] = [played(7, 100), played(7, 100)]
  rich.state.accounts.cash[1]! += 1
  expect(() => liabilitiesOf(rich, secret)).toThrow(Damaged)
  diluted.state.conditions.supply[2]! += 1
  expect(() => liabilitiesOf(diluted, secret)).toThrow(Damaged)
  expect(liabilitiesOf(new Exchange(), secret)).toBeNull()
})

async function run(venue: Venue, commands: Iterable<Command>): Promise<void> {
  for (const command of commands) await venue.submit(command)
}

const rootsOf = (url: string) => query(url, 'select * from state_root order by n')
const stated = ({
  journal,
  previous,
  root,
  key,
  seq,
  at,
  closes,
  usdc,
  locked,
  converted,
  custody,
  ...row
  // biome-ignore lint/suspicious/noExplicitAny: a row of the database
}: any): StateRoot => {
  const text = (value: Buffer) => value.toString('hex')
  const numbers = { seq, at, closes, usdc, locked, converted, custody }
  const exact = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]))
  return { ...(row as object), ...exact, journal: text(journal), previous: text(previous), root: text(root), key: text(key) } as never
}

function isSigned(text: string, key: string, signature: Buffer): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') }
  return verify(null, Buffer.from(text), createPublicKey({ key: jwk, format: 'jwk' }), signature)
}

test('roots are chained, signed, the same when history is written again, and a new key has the word of the one before', async () => {
  const url = await clobDatabase()
  const old = await startVenue(url, { proof: { every: 1, keys: [seeds[1]!] } })
  // Some share a millisecond on a fast machine, and then a root: enough of them that there are more roots than trees are kept.
  await run(old, randomCommands(41, 100))
  await old.close()
  const before = await rootsOf(url)
  const venue = await startVenue(url, { proof: { every: 1, keys: seeds } })
  await run(venue, [deposit('ann', 5, 'later'), deposit('bob', 5, 'later still'), deposit('cid', 5, 'last')])
  await venue.close()

  const rows = await rootsOf(url)
  expect(rows.length).toBeGreaterThan(before.length)
  expect(before.length).toBeGreaterThan(TREES_KEPT)
  let previous = NO_ROOT
  for (const [index, row] of rows.entries()) {
    const root = stated(row)
    const text = stateRootText(root)
    expect(root).toMatchObject({ n: index + 1, previous, key: proofKey(seeds[index < before.length ? 1 : 0]!).key })
    expect(isSigned(text, root.key, row.signature)).toBe(true)
    const isFirstOfKey = index === before.length
    expect(row.endorsement !== null).toBe(isFirstOfKey)
    if (isFirstOfKey) expect(isSigned(text, proofKey(seeds[1]!).key, row.endorsement)).toBe(true)
    previous = createHash('sha256').update(text).digest('hex')
    expect(row.hash.toString('hex')).toBe(previous)
    expect(
      await query(url, 'select count(*)::int as rows from journal where last_seq = $1 and checksum = $2', [row.seq, row.journal]),
    ).toEqual([{ rows: 1 }])
  }
  const kept = await query(url, 'select distinct n from state_tree order by n')
  expect(kept.map(({ n }) => n)).toEqual(rows.slice(-TREES_KEPT).map(({ n }) => n))

  await query(
    url,
    'truncate placement, order_change, fill, trade, ledger_entry, transfer, condition_change, order_state, position, price_point, condition_stats, projection',
  )
  const again = await startVenue(url, { proof: { every: 1, keys: seeds } })
  await expect.poll(() => again.readModel.projectedSeq()).toBeGreaterThanOrEqual(again.exchange.seq)
  await again.close()
  expect((await rootsOf(url)).map(({ hash }) => hash.toString('hex'))).toEqual(rows.map(({ hash }) => hash.toString('hex')))
})

test.each([2, 3])('a proof is whole although its tree is given up before query %i of it', async (n) => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { proof: { every: 1, keys: seeds } })
  await run(venue, [deposit('ann', 5), ...Array.from({ length: 20 }, (_, count) => deposit('bob', 1, `deposit ${count}`))])
  await venue.close()
  const root = stated((await rootsOf(url)).at(-1))
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  const source = { pool, stream: root.stream }
  const whole = await readBalanceProof(source, address('ann'), root)
  expect(whole?.assets).toMatchObject([{ amount: 5_000_000 }])

  let asked = 0
  const client = await pool.connect()
  const ask = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>
  client.query = (async (...given: unknown[]) => {
    if (String(given[0]).includes('select') && ++asked === n) await query(url, 'delete from state_tree')
    return ask(...given)
  }) as never
  client.release()
  expect(await readBalanceProof(source, address('ann'), root)).toEqual(whole)
  expect(asked).toBe(3)
})

test.each(['update state_root set usdc = usdc', 'delete from state_root', 'truncate state_root'])(
  'the database refuses: %s',
  async (text) => {
    const url = await clobDatabase()
    await expect(query(url, text)).rejects.toThrow('append-only')
  },
)

test('a root is cut when asked for, also within the hour, and shows what was set aside before', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { proof: { every: 3_600_000, keys: seeds } })
  expect(await venue.cutRoot()).toBe(true)
  expect(await rootsOf(url), 'of nothing there is no root').toEqual([])

  await run(venue, [deposit('ann', 5), { type: 'withdraw', account: address('ann'), amount: 2_000_000, ref: id('out') }])
  expect(await Promise.all([venue.cutRoot(), venue.cutRoot()])).toEqual([true, true])
  const [first, ...others] = (await rootsOf(url)).map(stated)
  expect(others, 'nothing happened in between').toEqual([])
  expect(first).toMatchObject({ n: 1, seq: venue.exchange.seq, usdc: 5_000_000, custody: 5_000_000 })
  await venue.submit({ type: 'end_withdrawal', ref: id('out'), outcome: 'settled' })
  await venue.cutRoot()
  expect(stated((await rootsOf(url)).at(-1))).toMatchObject({ n: 2, seq: venue.exchange.seq, usdc: 3_000_000, closes: first!.closes })

  await venue.close()
  expect(await venue.cutRoot(), 'history is closed').toBe(false)
})

test('the public history names deposits and withdrawals by the hash of their ref, and nothing else', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { proof: { every: 3_600_000, keys: seeds } })
  await run(venue, [
    { type: 'deposit', account: address('ann'), amount: 5_000_000, ref: id('in') },
    { type: 'withdraw', account: address('ann'), amount: 2_000_000, ref: id('out') },
    { type: 'withdraw', account: address('ann'), amount: 1_000_000, ref: id('back') },
    { type: 'end_withdrawal', ref: id('out'), outcome: 'settled' },
    { type: 'end_withdrawal', ref: id('back'), outcome: 'returned' },
  ])
  await venue.readModel.waitFor(venue.exchange.seq)
  const found = await venue.readModel.facts(0, 100)
  const entries = found!.facts.map(({ reason, ref, withdrawing }) => [reason, `0x${ref}`, withdrawing])
  expect(entries).toEqual([
    ['deposit', id('in'), 0],
    ['withdraw', id('out'), 2_000_000],
    ['withdraw', id('back'), 1_000_000],
    ['withdraw_settled', id('out'), -2_000_000],
    ['withdraw_returned', id('back'), -1_000_000],
  ])
  await run(venue, randomCommands(41, 60))
  await venue.readModel.waitFor(venue.exchange.seq)
  const named = (await venue.readModel.facts(5, 1000))!.facts.filter(
    ({ kind, reason, ref }) => kind === 'entry' && (ref !== null) !== /^(deposit|withdraw)/.test(String(reason)),
  )
  expect(named).toEqual([])
  await venue.close()
})
