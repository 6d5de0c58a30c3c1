import { prng } from '@augury/testing/prng'
import { fc } from '@augury/testing/properties'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { NodeError } from '../src/node-error.ts'
import { advanceOutbox, enqueue, feesAfter, nextMove, type OutboxWorld } from '../src/outbox.ts'
import type { Intent, Node } from '../src/ports.ts'
import { memoryOutbox } from './memory-stores.ts'
import { type Contracts, Crash, crashing, faulty, ModelChain, modelSigner } from './model-chain.ts'

const KEY = `0x${'aa'.repeat(20)}` as const
const TO = `0x${'bb'.repeat(20)}` as const
const FEES = { bumpMs: 60_000, feeCap: 1000n }
const PURPOSE = { kind: 'other', name: 'test' } as const
const MARKET = { maxFee: 21n, tip: 1n }

const version = (maxFee: bigint, at = 0) => ({ maxFee, tip: 1n, raw: '0x' as const, at })
const intent = (change: Partial<Intent> = {}): Intent => ({
  nonce: 5,
  purpose: PURPOSE,
  to: TO,
  data: '0x',
  gas: 1,
  versions: [version(21n)],
  mined: false,
  booked: null,
  ...change,
})

test.each<[string, Partial<Intent>, number, number, number, string]>([
  // what, intent, nonce at the confirmed block, nonce at the head, now, move
  ['new', { versions: [] }, 5, 5, 0, 'sign'],
  ['young and not mined', {}, 5, 5, 59_999, 'send'],
  ['old and not mined', {}, 5, 5, 60_000, 'sign'],
  ['signed in the future, after the clock was set back', { versions: [version(21n, 99_999)] }, 5, 5, 0, 'sign'],
  ['old and at the cap', { versions: [version(999n)] }, 5, 5, 60_000, 'send'],
  ['mined and not confirmed', {}, 5, 6, 60_000, 'wait'],
  ['confirmed', {}, 6, 6, 60_000, 'done'],
  ['mined and not booked', { mined: true }, 9, 9, 60_000, 'done'],
  ['booked', { mined: true, booked: { number: 1, hash: '0x' } }, 9, 9, 60_000, 'wait'],
  ['a mined batch that payments still look at', { mined: true, purpose: { kind: 'pay', payments: [] } }, 9, 9, 60_000, 'wait'],
  ['undone after it was confirmed', { mined: true }, 5, 5, 60_000, 'reopen'],
  ['undone and mined again', { mined: true }, 5, 6, 60_000, 'reopen'],
])('an intent that is %s', (_, change, confirmed, latest, now, move) => {
  expect(nextMove(intent(change), confirmed, latest, now, MARKET, FEES)).toBe(move)
})

test.each([
  ['the market is the first price', undefined, MARKET, 1000n, { maxFee: 21n, tip: 1n }],
  ['the cap bounds the first price', undefined, MARKET, 10n, { maxFee: 10n, tip: 1n }],
  ['a replacement pays an eighth more of both', { maxFee: 80n, tip: 8n }, MARKET, 1000n, { maxFee: 91n, tip: 10n }],
  ['a replacement follows the market', { maxFee: 21n, tip: 1n }, { maxFee: 500n, tip: 50n }, 1000n, { maxFee: 500n, tip: 50n }],
  ['the cap bounds the market', { maxFee: 21n, tip: 1n }, { maxFee: 5000n, tip: 50n }, 1000n, { maxFee: 1000n, tip: 50n }],
  ['no replacement above the cap', { maxFee: 900n, tip: 1n }, MARKET, 1000n, null],
])('%s', (_, last, market, cap, fees) => {
  expect(feesAfter(last, market, cap)).toEqual(fees)
})

test('every replacement raises both fees by at least 12.5 % and stays below the cap', () => {
  const wei = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(wei, wei, wei, wei, wei, (tip, base, marketFee, marketTip, cap) => {
      const last = { maxFee: base + tip, tip }
      const next = feesAfter(last, { maxFee: marketFee, tip: marketTip }, cap)
      if (!next) {
        expect((last.maxFee * 9n) / 8n + 1n).toBeGreaterThan(cap)
        return
      }
      expect(next.maxFee * 1000n).toBeGreaterThan(last.maxFee * 1125n)
      expect(next.tip * 1000n).toBeGreaterThan(last.tip * 1125n)
      expect(next.maxFee).toBeLessThanOrEqual(cap)
      expect(next.tip).toBeLessThanOrEqual(next.maxFee)
    }),
  )
})

/** Contracts that count what was done: each calldata, how often. */
const counting: Contracts<readonly string[]> = {
  begin: [],
  execute: (state, _from, _to, data) => ({ state: [...state, data], logs: [] }),
  call: () => '0x',
  code: () => '0x',
}

/** The same node; what is sent to it is noted. */
const noting = (node: Node, sent: Hex[]): Node => ({
  ...node,
  send: (raw) => {
    sent.push(raw)
    return node.send(raw)
  },
})

test('whatever chain, node and process do, each intent is mined exactly once, in order, with its own calldata', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = prng(seed)
    const chain = new ModelChain(counting, random)
    const store = memoryOutbox()
    let now = 0
    let quiet = false
    const sent: Hex[] = []
    const crash = () => !quiet && random.chance(0.01)
    const world: OutboxWorld = {
      node: crashing(faulty(noting(chain.node(), sent), random, { fails: 0.1, lies: 0.05 }), crash),
      clock: { now: () => now, sleep: async () => {} },
      signer: crashing(modelSigner(KEY), crash),
      store: crashing(store, crash),
      chainId: 1,
      fees: FEES,
      revised: async () => null,
    }
    const step = async (one: OutboxWorld) => {
      const pin = chain.blocks[Math.max(0, chain.head.number - 3)]!
      await advanceOutbox(one, pin).catch((error) => {
        if (!(error instanceof Crash || error instanceof NodeError)) throw error
      })
    }
    for (let round = 0; round < 120; round++) {
      now += random.integer(-5_000, 60_000)
      chain.baseFee = random.chance(0.1) ? 200n : 10n
      if (random.chance(0.3) && (await store.nextNonce()) !== null && store.all.size < 30)
        await enqueue(world.store as typeof store, {
          purpose: PURPOSE,
          to: TO,
          data: `0x${store.all.size.toString(16).padStart(2, '0')}`,
          gas: 1,
        }).catch(() => {})
      await step(world)
      chain.mine(0.5)
      if (random.chance(0.2)) chain.undo(random.integer(1, 3), 0.5)
      if (random.chance(0.02)) chain.undo(random.integer(4, 20), 0.5)
      if (random.chance(0.1)) chain.drop(0.5)
    }
    quiet = true
    chain.baseFee = 10n
    // What was sent is known: a replacement of it can be priced.
    const stored = new Set([...store.all.values()].flatMap(({ versions }) => versions.map(({ raw }) => raw)))
    expect(sent.filter((raw) => !stored.has(raw))).toEqual([])
    const healed = { ...world, node: chain.node(), signer: modelSigner(KEY), store }
    for (let round = 0; round < 12; round++) {
      now += 60_000
      await step(healed)
      chain.mine()
    }
    expect(chain.head.state).toEqual([...store.all.values()].map(({ data }) => data))
    expect([...store.all.values()].filter(({ mined }) => !mined)).toEqual([])
  }
})

/** An outbox of its own over a chain, at a time that stands still. */
const quietWorld = (chain: ModelChain<readonly string[]>): OutboxWorld => ({
  node: chain.node(),
  clock: { now: () => 0, sleep: async () => {} },
  signer: modelSigner(KEY),
  store: memoryOutbox(),
  chainId: 1,
  fees: FEES,
  revised: async () => null,
})

test('a nonce that the outbox never gave out stops it', async () => {
  const chain = new ModelChain(counting, prng(1))
  const world = quietWorld(chain)
  await advanceOutbox(world, chain.head)
  chain.submit(await modelSigner(KEY).sign({ chainId: 1, nonce: 0, to: TO, data: '0x', gas: 1, maxFee: 20n, tip: 1n }))
  chain.mine()
  await expect(advanceOutbox(world, chain.head)).rejects.toMatchObject({ name: 'Halt', reason: 'key_shared' })
})

test('fees that do not suffice below the cap are said', async () => {
  const chain = new ModelChain(counting, prng(1))
  chain.baseFee = 2000n
  chain.mine()
  const world = quietWorld(chain)
  await advanceOutbox(world, chain.head)
  await enqueue(world.store, { purpose: PURPOSE, to: TO, data: '0x', gas: 1 })
  expect(await advanceOutbox(world, chain.head)).toMatchObject({ open: 1, capped: true })
})

test.each<[client: string, message: string]>([
  ['Geth, Reth, Anvil', 'replacement transaction underpriced'],
  ['Geth, of a full pool', 'transaction underpriced: tip needed 2, tip permitted 1'],
  ['Besu', 'Replacement transaction underpriced'],
  [
    'Hardhat',
    'Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 22 is necessary to replace the existing transaction.',
  ],
  ['Erigon', 'INTERNAL_ERROR: could not replace existing tx'],
  ['Nethermind', 'ReplacementNotAllowed'],
  ['Nethermind, of a full pool', 'FeeTooLowToCompete'],
  [
    'OpenEthereum',
    'Transaction gas price is too low. There is another transaction with same nonce in the queue. Try increasing the gas price.',
  ],
])('a node that holds another transaction of the nonce is sent one with higher fees at once: %s', async (_, message) => {
  const chain = new ModelChain(counting, prng(1))
  const quiet = quietWorld(chain)
  const refused: Hex[] = []
  const node: Node = {
    ...quiet.node,
    send: async (raw) => {
      if (refused.length > 0) return quiet.node.send(raw)
      refused.push(raw)
      throw new NodeError('refused', message)
    },
  }
  const world = { ...quiet, node }
  await advanceOutbox(world, chain.head)
  const { nonce } = await enqueue(world.store, { purpose: PURPOSE, to: TO, data: '0x07', gas: 1 })
  expect(await advanceOutbox(world, chain.head)).toMatchObject({ problems: [] })
  const { versions } = (await world.store.intents(0)).find((intent) => intent.nonce === nonce)!
  expect(versions).toHaveLength(2)
  expect(versions[0]?.raw).toBe(refused[0])
  for (const fee of ['maxFee', 'tip'] as const) expect(8n * versions[1]![fee]).toBeGreaterThanOrEqual(9n * versions[0]![fee])
  chain.mine()
  expect(chain.head.state).toEqual(['0x07'])
})

test('what a node says of other troubles raises no fee at once', async () => {
  const chain = new ModelChain(counting, prng(1))
  const quiet = quietWorld(chain)
  const send = () => Promise.reject(new NodeError('refused', 'insufficient funds for gas * price + value'))
  const world = { ...quiet, node: { ...quiet.node, send } }
  await advanceOutbox(world, chain.head)
  await enqueue(world.store, { purpose: PURPOSE, to: TO, data: '0x', gas: 1 })
  const { problems } = await advanceOutbox(world, chain.head)
  expect(problems).toHaveLength(1)
  expect((await world.store.intents(0))[0]?.versions).toHaveLength(1)
})
