import { type Prng, prng } from '@augury/testing/prng'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { confirmedBlock } from '../src/confirmed.ts'
import { Halt, NodeError } from '../src/node-error.ts'
import type { Node, Nodes } from '../src/ports.ts'
import { depositRef, type WatchWorld, watchDeposits } from '../src/watch.ts'
import { memoryDeposits, memoryLedger } from './memory-stores.ts'
import { Crash, crashing, faulty, ModelChain, modelSigner } from './model-chain.ts'
import { addressOf as address, depositData, modelVault, VAULT, type VaultState } from './model-vault.ts'

const VAULT_AT = { chainId: 1, address: VAULT, block: 0 }
const alone = (node: Node): Nodes => ({ any: node, both: node })

/** A chain, the exchange and the settler's store. Depositors are accounts with their own nonces. */
function world(random: Prng, confirmations: number) {
  const chain = new ModelChain<VaultState>(modelVault, random)
  const [store, ledger] = [memoryDeposits(), memoryLedger()]
  const vault: WatchWorld = {
    nodes: alone(chain.node()),
    store,
    ledger,
    vault: VAULT_AT,
    confirmation: { confirmations, finalized: false },
    agreeAbove: Number.MAX_SAFE_INTEGER,
  }
  let senders = 1000
  /** Sends a deposit from a new address, so that any order of them can be mined. */
  const deposit = async (who: number, amount: number) => {
    const data = depositData(address(who), amount)
    const transaction = { chainId: 1, nonce: 0, to: VAULT, data, gas: 1, maxFee: 1000n, tip: 1n }
    chain.submit(await modelSigner(address(senders++)).sign(transaction))
  }
  return { chain, store, ledger, vault, deposit }
}

/** What the exchange should have credited for what is on the chain. */
const expected = ({ deposits }: VaultState) =>
  new Map(deposits.map(({ account, amount }, index) => [depositRef(VAULT_AT, index + 1), { account, amount }]))

/** Runs a step; what a settler would retry is no failure. */
const tried = (one: WatchWorld) =>
  watchDeposits(one).catch((error: unknown) => {
    if (error instanceof Crash || error instanceof NodeError || error instanceof Halt) return error
    throw error
  })

test('re-organisations up to the confirmations, failures, lies and crashes: the exchange credits exactly what the chain has', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = prng(seed)
    const { chain, store, ledger, vault, deposit } = world(random, 6)
    const crash = () => random.chance(0.01)
    const rough: WatchWorld = {
      ...vault,
      nodes: alone(crashing(faulty(chain.node(), random, { fails: 0.05, lies: 0.05 }), crash)),
      store: crashing(store, crash),
      ledger: crashing(ledger, crash),
    }
    let highest = 0
    for (let round = 0; round < 150; round++) {
      if (random.chance(0.5)) await deposit(random.integer(0, 5), random.integer(1, 1000))
      expect(await tried(rough)).not.toBeInstanceOf(Halt)
      chain.mine(0.6)
      highest = Math.max(highest, chain.head.number)
      // Two in a row are one that is as deep as both: it must stay within the confirmations, too.
      const depth = Math.min(random.integer(1, 5), 5 - (highest - chain.head.number))
      if (depth > 0 && random.chance(0.15)) {
        chain.undo(depth, 0.2)
        chain.mineMany(random.integer(0, depth), 0.6)
      }
    }
    for (let round = 0; round < 8; round++) chain.mine()
    await watchDeposits(vault)
    const confirmed = chain.blocks[chain.head.number - 6]!.state
    expect(ledger.credits).toEqual(expected(confirmed))
    expect(store.all.map(({ n, account, amount }) => ({ n, account, amount }))).toEqual(
      confirmed.deposits.map(({ account, amount }, index) => ({ n: index + 1, account, amount })),
    )
    expect(confirmed.deposits.length).toBeGreaterThan(20)
  }
})

test('re-organisations of any depth: nothing is credited beside the chain after one is seen, and it goes on once the chain agrees', async () => {
  let [halted, followed] = [0, 0]
  for (let seed = 1; seed <= 40; seed++) {
    const random = prng(seed)
    const { chain, store, ledger, vault, deposit } = world(random, 3)
    for (let round = 0; round < 60; round++) {
      if (random.chance(0.5)) await deposit(random.integer(0, 5), random.integer(1, 1000))
      chain.mine(0.6)
      if (random.chance(0.08)) {
        chain.undo(random.integer(4, 20), random.pick([0, 0, 0.3]))
        chain.mineMany(25, 0.6)
      }
      const before = store.all.map(({ n, account, amount }) => ({ n, account, amount }))
      const result = await tried(vault)
      const confirmed = chain.blocks[Math.max(0, chain.head.number - 3)]!.state
      const onChain = confirmed.deposits.map(({ account, amount }, index) => ({ n: index + 1, account, amount }))
      const isLost = before.some((one, index) => JSON.stringify(one) !== JSON.stringify(onChain[index]))
      if (isLost) {
        expect(result).toMatchObject({ reason: 'deposit_lost' })
        expect(store.all).toHaveLength(before.length)
        halted++
      } else {
        expect(result).not.toBeInstanceOf(Error)
        expect(ledger.credits).toEqual(expected(confirmed))
        for (const { block } of store.all) expect(chain.blocks[block.number]?.hash).toBe(block.hash)
        if ('reorgDepth' in result && result.reorgDepth > 0) followed++
      }
    }
  }
  expect(halted).toBeGreaterThan(20)
  expect(followed).toBeGreaterThan(2)
})

test('a thousand deposits of one block are credited in one step, in their order', async () => {
  const { chain, ledger, vault, deposit } = world(prng(1), 0)
  for (let n = 0; n < 1000; n++) await deposit(n, n + 1)
  chain.mine()
  expect((await watchDeposits(vault)).credited.map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
  expect([...ledger.credits]).toEqual([...expected(chain.head.state)])
})

test('a crash between any two deposits of a batch leaves the first ones credited, and the next step goes on there', async () => {
  for (let kept = 0; kept <= 30; kept++) {
    const { chain, store, ledger, vault, deposit } = world(prng(kept + 1), 0)
    for (let n = 0; n < 30; n++) await deposit(n % 4, n + 1)
    chain.mine()
    const cut: WatchWorld['ledger'] = {
      credit: async (asked) => {
        await ledger.credit(asked.slice(0, kept))
        throw new Crash()
      },
    }
    expect(await tried({ ...vault, ledger: cut })).toBeInstanceOf(Crash)
    expect([ledger.credits.size, store.all.length]).toEqual([kept, 0])
    await watchDeposits(vault)
    expect([...ledger.credits]).toEqual([...expected(chain.head.state)])
    expect(store.all.map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
  }
})

test('a deposit waits for its confirmations, and for finality where that is asked for', async () => {
  const { chain, vault, deposit } = world(prng(1), 2)
  await deposit(1, 70)
  chain.mine()
  const credited = async (finalized: boolean) => {
    const { credited, pending } = await watchDeposits({ ...vault, confirmation: { confirmations: 2, finalized } })
    return [credited.length, pending.length]
  }
  expect(await credited(false)).toEqual([0, 0]) // there are not yet as many blocks
  chain.mine()
  expect(await credited(false)).toEqual([0, 1])
  chain.mine()
  expect(await credited(true)).toEqual([0, 1]) // the model finalises four blocks below its head
  chain.mine()
  chain.mine()
  expect(await credited(true)).toEqual([1, 0])
})

test('an exchange that credited something else under a ref stops the settler', async () => {
  const { chain, store, ledger, vault, deposit } = world(prng(1), 0)
  await deposit(1, 70)
  chain.mine()
  await ledger.credit([{ ref: depositRef(VAULT_AT, 1), account: address(1), sender: address(1), amount: 71 }])
  await expect(watchDeposits(vault)).rejects.toMatchObject({ reason: 'ledger_differs' })
  expect(store.all).toEqual([])
})

test('above the limit a second node must show the same deposits at its own confirmed block', async () => {
  const { chain, vault, deposit } = world(prng(1), 0)
  await deposit(1, 70)
  chain.mine()
  const node = chain.node()
  const silent: Node = { ...node, call: async () => Promise.reject(new NodeError('silent', 'no answer')) }
  const behind: Node = { ...node, block: async (at) => node.block(at === 'latest' ? 0 : at) }
  const large = { ...vault, agreeAbove: 69 }
  await expect(watchDeposits({ ...large, nodes: { any: node, both: silent } })).rejects.toMatchObject({ kind: 'silent' })
  expect(await watchDeposits({ ...large, nodes: { any: node, both: behind } })).toMatchObject({ credited: [], waiting: 'second_node' })
  expect(await watchDeposits({ ...vault, agreeAbove: 70, nodes: { any: node, both: silent } })).toMatchObject({ credited: [{ n: 1 }] })
})

test.each<[string, (word: string) => string]>([
  ['amount', (words) => `0x${'99'.padStart(64, '0')}${words.slice(66)}`],
  ['total', (words) => `${words.slice(0, 66)}${'99'.padStart(64, '0')}`],
  ['length', (words) => words.slice(0, 66)],
])('a log with another %s than the storage is not believed', async (_, change) => {
  const { chain, ledger, vault, deposit } = world(prng(1), 0)
  await deposit(1, 70)
  chain.mine()
  const node = chain.node()
  const inventing: Node = {
    ...node,
    logs: async (filter) => (await node.logs(filter)).map((log) => ({ ...log, data: change(log.data) as Hex })),
  }
  await expect(watchDeposits({ ...vault, nodes: alone(inventing) })).rejects.toMatchObject({ kind: 'garbage' })
  expect(ledger.credits.size).toBe(0)
})

test('a log of another account than the storage is not believed', async () => {
  const { chain, ledger, vault, deposit } = world(prng(1), 0)
  await deposit(1, 70)
  chain.mine()
  const node = chain.node()
  const other = `0x${'99'.padStart(64, '0')}` as const
  const inventing: Node = {
    ...node,
    logs: async (filter) =>
      (await node.logs(filter)).map((log) => ({ ...log, topics: [log.topics[0]!, log.topics[1]!, other, log.topics[3]!] })),
  }
  await expect(watchDeposits({ ...vault, nodes: alone(inventing) })).rejects.toMatchObject({ kind: 'garbage' })
  expect(ledger.credits.size).toBe(0)
})

test('a head that the node cannot show by its number confirms nothing', async () => {
  const { chain } = world(prng(1), 0)
  chain.mineMany(10)
  const node = chain.node()
  const boasting: Node = {
    ...node,
    block: async (at) => {
      const block = await node.block(at)
      return at === 'latest' && block ? { ...block, number: block.number + 2 } : block
    },
  }
  const confirmation = { confirmations: 6, finalized: false }
  expect((await confirmedBlock(node, confirmation))?.pin.number).toBe(4)
  expect(await confirmedBlock(boasting, confirmation)).toBeNull()
})

test('empty blocks are not read again, and a re-organisation of them is noticed', async () => {
  const { chain, vault, store, deposit } = world(prng(1), 0)
  for (let n = 0; n < 600; n++) chain.mine()
  await watchDeposits(vault)
  expect((await store.scanned())?.number).toBe(600)
  chain.undo(300)
  await deposit(1, 70)
  for (let n = 0; n < 400; n++) chain.mine()
  const ranges: number[] = []
  const node = chain.node()
  const noting: Node = {
    ...node,
    logs: (filter) => {
      ranges.push(filter.from)
      return node.logs(filter)
    },
  }
  expect((await watchDeposits({ ...vault, nodes: alone(noting) })).credited).toHaveLength(1)
  expect(ranges).toEqual([0])
})
