import { encodeRow } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { assetBytes, bytesHex, stateTree } from '@augury/signing/state-tree'
import { query } from '@augury/testing/connection'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { liabilitiesOf, nodeSha256 } from '../src/record/history/liabilities.ts'
import { notePostedRoot, readSettlements } from '../src/record/history/posted-roots.ts'
import { type LeafPiece, readRootLeaves, readRootWeights } from '../src/record/history/read-root-leaves.ts'
import { TREES_KEPT } from '../src/record/history/state-roots.ts'
import { address, deposit, id, register } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

const split = (condition: string, lots: number): Command => ({
  ...{ type: 'split', account: address('ann'), condition: id(condition), lots, request: id(`split ${condition}`) },
})
const member = (condition: string) => register(condition, { event: { id: id('cup'), size: 3 } })

/** A plain market, a resolved one, and an event of which one member has a result and tokens were converted. */
const mixed: Command[] = [
  ...[register('rain'), register('snow'), member('red'), member('green'), member('blue'), deposit('ann', 1_000)],
  ...['rain', 'snow', 'red', 'green'].map((condition) => split(condition, 700)),
  {
    ...{ type: 'convert', account: address('ann'), event: id('cup'), conditions: [id('red'), id('green')], lots: 500 },
    request: id('converted'),
  },
  { type: 'set_condition', condition: id('snow'), mode: 'closed', grid: null, feeBps: null },
  { type: 'resolve', condition: id('snow'), weight: 2_500 },
]

test('trees of roots in the vault are kept beyond the newest: of the last 24 all, and for eight days the last of each hour', async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { proof: { every: 3_600_000, keys: ['0a'.repeat(32)] } })
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  const cut = async () => {
    await venue.submit(deposit('ann', 1, `deposit ${(await query(url, 'select count(*)::int as n from state_root'))[0].n}`))
    await venue.cutRoot()
  }
  for (let n = 0; n < 4; n++) await cut()
  const hashes = await query(url, `select n, stream, encode(hash, 'hex') as hash from state_root order by n`)
  const { stream } = hashes[0]
  expect(await notePostedRoot(pool, stream, '00'.repeat(32), `0x${'01'.repeat(32)}`)).toBeNull()
  for (const { n, hash } of hashes)
    expect(await notePostedRoot(pool, stream, hash, `0x${String(n).repeat(64)}`)).toEqual({ n, transaction: `0x${String(n).repeat(64)}` })
  await query(
    url,
    `update posted_root set posted_at = case n when 1 then now() - interval '9 days' when 2 then date_trunc('hour', now()) - interval '3 days'
       when 3 then date_trunc('hour', now()) - interval '3 days' + interval '9 minutes' else now() end`,
  )
  const source = { pool, stream }
  const seqs = (await query(url, 'select seq from state_root order by n')).map(({ seq }) => Number(seq))
  expect(await readSettlements(source, [1, seqs[0]!, seqs[1]!, seqs[3]! + 1])).toEqual(
    new Map([
      [1, { n: 1, transaction: `0x${'1'.repeat(64)}` }],
      [seqs[0]!, { n: 1, transaction: `0x${'1'.repeat(64)}` }],
      [seqs[1]!, { n: 2, transaction: `0x${'2'.repeat(64)}` }],
    ]),
  )
  for (let n = 0; n < TREES_KEPT; n++) await cut()
  const kept = async () => (await query(url, 'select distinct n from state_tree order by n')).map(({ n }) => n)
  const newest = Array.from({ length: TREES_KEPT }, (_, n) => n + 5)
  expect(await kept()).toEqual([1, 2, 3, 4, ...newest]) // the newest 24 posted ones
  for (const { n, hash } of await query(url, `select n, encode(hash, 'hex') as hash from state_root where n > 4 order by n`))
    await notePostedRoot(pool, stream, hash, `0x${String(n % 10).repeat(64)}`)
  await cut()
  expect(await kept()).toEqual([3, ...newest, TREES_KEPT + 5])
  await venue.close()
})

test('what tokens pay without results is all that is behind them', () => {
  const exchange = new Exchange()
  for (const [index, command] of mixed.entries()) exchange.applyRow({ at: index + 1, commands: encodeRow([command]) })
  const { tree, weights, locked, converted } = liabilitiesOf(exchange, Buffer.alloc(32, 7))!
  const paid = new Map(
    Array.from({ length: weights!.holders }, (_, at) => {
      const record = Buffer.from(weights!.records.subarray(at * 40, at * 40 + 40))
      return [`0x${record.toString('hex', 0, 32)}`, Number(record.readBigUInt64BE(32))]
    }),
  )
  expect(paid).toEqual(
    new Map([
      [id('rain'), 5_000],
      [id('snow'), 2_500],
      ...(['red', 'green', 'blue'] as const).map((name) => [id(name), name === 'red' ? 3_334 : 3_333] as [string, number]),
    ]),
  )
  const sum = tree.assets.reduce((all, { asset, total }) => {
    const weight = paid.get(bytesHex(asset.subarray(0, 32)))
    return weight === undefined ? all : all + total.sum * (asset[32] === 0 ? weight : 10_000 - weight)
  }, 0)
  expect(sum).toBe(locked + converted)
})

test('the pages of leaves make the root again, and end with the trees that are kept', { timeout: 60_000 }, async () => {
  const url = await clobDatabase()
  const venue = await startVenue(url, { proof: { every: 3_600_000, keys: ['0a'.repeat(32)] } })
  const markets = Array.from({ length: 20 }, (_, at) => `market ${at}`)
  // More leaves than a chunk has, and more chunks than a page.
  await Promise.all(Array.from({ length: 520 }, (_, at) => venue.submit(deposit(`member ${at}`, 1))))
  for (const command of [...mixed, ...markets.map((name) => register(name)), ...markets.map((name) => split(name, 100))])
    await venue.submit(command)
  await venue.cutRoot()
  await venue.close()
  const [row] = await query(url, 'select stream, n, root, assets from state_root')
  const pool = new pg.Pool({ connectionString: url })
  onTestFinished(() => pool.end())
  const source = { pool, stream: row.stream }

  const pieces: LeafPiece[] = []
  let read = 0
  for (let after = null as Parameters<typeof readRootLeaves>[2]; ; read++) {
    const page = (await readRootLeaves(source, row.n, after))!
    pieces.push(...page.pieces)
    after = page.next
    if (!after) break
  }
  expect(read).toBeGreaterThan(0)
  const leaves = new Map<number, Buffer[]>()
  for (const piece of pieces) {
    expect(piece.from * 40).toBe((leaves.get(piece.place) ?? []).reduce((sum, { length }) => sum + length, 0))
    leaves.set(piece.place, [...(leaves.get(piece.place) ?? []), piece.leaves])
  }
  const state = [...leaves].map(([place, parts]) => {
    const { asset, holders } = pieces.find((piece) => piece.place === place)!
    const all = Buffer.concat(parts)
    expect(all.length).toBe(holders * 40)
    return { asset: assetBytes(asset), leaves: all }
  })
  expect(state.length).toBe(row.assets)
  expect(Buffer.from(stateTree(nodeSha256, state).root)).toEqual(row.root)
  const weights = await readRootWeights(source, row.n)
  expect(weights).toHaveLength(5 + markets.length)
  expect(weights).toContainEqual({ condition: id('snow'), weight: 2_500 })

  await query(url, 'delete from state_tree')
  expect(await readRootLeaves(source, row.n, null)).toBeNull()
  expect(await readRootWeights(source, row.n)).toBeNull()
})
