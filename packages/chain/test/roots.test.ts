import { abi } from '@augury/contracts/generated/vault'
import { prng } from '@augury/testing/prng'
import { decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { compareVault } from '../src/compare.ts'
import { confirmedBlock } from '../src/confirmed.ts'
import { paymentRef } from '../src/payments.ts'
import type { Node } from '../src/ports.ts'
import { type ExchangeRoot, type RootWorld, stepRoots } from '../src/roots.ts'
import { payData } from '../src/vault.ts'
import { memoryOutbox } from './memory-stores.ts'
import { ModelChain, modelSigner } from './model-chain.ts'
import { depositData, modelVault, OPERATOR, pauseData, postData, VAULT, type VaultState } from './model-vault.ts'

const DAY = 86_400_000
const CONFIRMATION = { confirmations: 0, finalized: false }
const vault = { chainId: 1, address: VAULT, block: 0 }
const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`
const root = (change: Partial<ExchangeRoot> = {}): ExchangeRoot => ({
  n: 7,
  seq: 20,
  at: 1,
  root: 'ab'.repeat(32),
  assets: 1,
  custody: 120,
  hash: 'cd'.repeat(32),
  deposits: 2,
  payments: 2,
  weights: `0x${'00'.repeat(32)}`,
  ...change,
})

/** A vault with deposits of 100 and 50, a batch of payments of 10 and 20, and a posted root of position 10. */
async function world(newest: ExchangeRoot | null, cut: ExchangeRoot | null = newest) {
  const chain = new ModelChain<VaultState>(modelVault, prng(1))
  let senders = 1000
  const send = async (data: Hex) => {
    chain.submit(await modelSigner(address(senders++)).sign({ chainId: 1, nonce: 0, to: VAULT, data, gas: 1, maxFee: 100n, tip: 1n }))
    chain.mine()
  }
  const store = memoryOutbox()
  await store.begin(0)
  for (const [n, amount] of [100, 50].entries()) await send(depositData(address(n + 1), amount))
  await send(postData(10, 0))
  const payments = [10, 20].map((amount, n) => ({
    ref: paymentRef(`w${n}`),
    name: `w${n}`,
    account: address(n + 1),
    to: address(9),
    amount,
  }))
  await send(payData(payments))
  const cuts: number[] = []
  const source = {
    latest: async () => newest,
    cut: async () => {
      cuts.push(1)
      return cut
    },
  }
  const node = chain.node()
  const one: RootWorld = {
    nodes: { any: node, both: node },
    clock: { now: () => 0, sleep: async () => {} },
    store,
    vault,
    confirmation: CONFIRMATION,
    agreeAbove: 1e9,
    operator: OPERATOR,
    source,
    every: DAY,
  }
  const step = async (change: Partial<RootWorld> = {}, isWanted = false) =>
    stepRoots({ ...one, ...change }, (await confirmedBlock(node, CONFIRMATION))!, isWanted)
  /** Arguments of the root that was queued. */
  const queued = () => {
    const [intent] = [...store.all.values()]
    return intent && decodeFunctionData({ abi, data: intent.data }).args?.[0]
  }
  return { chain, node, send, step, queued, cuts }
}
const later = { now: () => 2 * DAY, sleep: async () => {} }

test('a newer root is queued once, with what it has seen of the chain', async () => {
  const { step, queued } = await world(root())
  expect(await step()).toMatchObject({ queued: 7, waiting: null })
  expect(queued()).toMatchObject({ n: 7, seq: 20, deposits: 2, payments: 2, custody: 120n, assets: 1, root: `0x${'ab'.repeat(32)}` })
  expect(await step()).toMatchObject({ queued: null, waiting: 'in_flight' })
})

test('nothing is cut while nothing is wanted and the last root is young', async () => {
  const { step, cuts } = await world(root({ seq: 10 }))
  expect(await step()).toMatchObject({ queued: null, waiting: 'none_new' })
  expect(cuts).toEqual([])
})

test('a root is cut where one is wanted', async () => {
  const { step, queued } = await world(root({ seq: 10 }), root({ n: 8, seq: 21 }))
  expect(await step({}, true)).toMatchObject({ queued: 8 })
  expect(queued()).toMatchObject({ seq: 21 })
})

test('a quiet exchange posts its last root again, with a number of the vault', async () => {
  const { step, queued, cuts } = await world(root({ n: 1, seq: 10 }))
  expect(await step({ clock: later })).toMatchObject({ queued: 2 })
  expect(queued()).toMatchObject({ n: 2, seq: 10 })
  expect(cuts).toHaveLength(1)
})

test('an exchange without any root posts none', async () => {
  expect(await (await world(null)).step({ clock: later })).toMatchObject({ queued: null, waiting: 'none_new' })
})

test.each<[string, Partial<ExchangeRoot>, object]>([
  ['more deposits than the chain has', { deposits: 3 }, { waiting: 'behind' }],
  ['more payments than the chain has', { payments: 3 }, { waiting: 'behind' }],
  ['half of a batch', { payments: 1 }, { waiting: 'mid_batch' }],
  ['a micro too much', { custody: 121 }, { waiting: 'custody', detail: 'the exchange owes 121, the vault expects 120' }],
  ['a payment that it left out', { payments: 0 }, { waiting: 'custody', detail: 'the exchange owes 120, the vault expects 150' }],
])('a root with %s waits', async (_, change, report) => {
  const { step, queued } = await world(root(change))
  expect(await step()).toMatchObject({ queued: null, ...report })
  expect(queued()).toBeUndefined()
})

test('a root that the vault would refuse costs no gas', async () => {
  const { step, send, queued } = await world(root())
  await send(pauseData(true))
  expect(await step()).toMatchObject({ waiting: 'refused', detail: expect.stringContaining('halted') })
  expect(queued()).toBeUndefined()
})

test('above the limit a second node must know the block', async () => {
  const { step, node } = await world(root())
  const behind: Node = { ...node, block: async () => null }
  expect(await step({ nodes: { any: node, both: behind }, agreeAbove: 119 })).toMatchObject({ waiting: 'second_node' })
  expect(await step({ nodes: { any: node, both: { ...node } }, agreeAbove: 119 })).toMatchObject({ queued: 7 })
})

test.each([
  ['as much as it owes', 120, { balance: 120, owed: 120 }],
  ['a gift besides', 121, { balance: 121, owed: 120 }],
])('a vault that holds %s is right', async (_, balance, comparison) => {
  const { node, chain } = await world(null)
  const token = address(77)
  const holding: Node = {
    ...node,
    call: async (calls, at) => (calls[0]?.to === token ? [`0x${balance.toString(16)}` as const] : node.call(calls, at)),
  }
  expect(await compareVault(holding, vault, token, chain.head)).toEqual(comparison)
})

test('a vault that holds less than it owes stops the settler', async () => {
  const { node, chain } = await world(null)
  const short: Node = { ...node, call: async (calls, at) => (calls[0]?.to === VAULT ? node.call(calls, at) : ['0x77']) }
  await expect(compareVault(short, vault, address(77), chain.head)).rejects.toMatchObject({ reason: 'vault_differs' })
})
