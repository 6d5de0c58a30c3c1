import { rpcNode } from '@augury/chain/node'
import { nodesOf } from '@augury/chain/nodes'
import { wallClock } from '@augury/chain/wall-clock'
import { type Answered, type Between, openBetween } from '@augury/testing/between'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Anvil, CHAIN_ID, hasAnvil, onAnvil, startAnvil } from '../../../packages/chain/test/anvil.ts'
import type { World } from '../src/world.ts'
import { alice, bob, openScene, type Scene } from './scene.ts'

// Two real nodes that disagree, and one that lies about its head.

/** Millionths above which two nodes must agree. */
const ALONE = 100_000_000

let scene: Scene
let other: Anvil
let between: Between
/** What happens to the answer to a request for a block. */
let lie: (block: { number: string; hash: string }, asked: unknown) => typeof block | null = (block) => block
beforeAll(async () => {
  if (!hasAnvil()) return
  scene = await openScene({}, {})
  other = await startAnvil()
  await other.ask('evm_setAutomine', false) // it gets transactions, too, and its blocks only from the first node
  between = await openBetween(scene.anvil.url, async ({ body }, forward) => lying(body, await forward()))
})
afterAll(async () => {
  between?.close()
  await Promise.all([scene?.close(), other?.stop()])
})

function lying(body: string, answer: Answered): Answered {
  const { method, params } = JSON.parse(body)
  if (method !== 'eth_getBlockByNumber') return answer
  const { result, ...rest } = JSON.parse(answer.body)
  return { ...answer, body: JSON.stringify({ ...rest, result: result && lie(result, params[0]) }) }
}

/** Gives the other node the blocks that the first one has. */
const sync = async () => other.ask('anvil_loadState', await scene.anvil.ask('anvil_dumpState'))
const at = (url: string) => rpcNode({ url, clock: wallClock, fetch, timeout: 30_000 })
const withTwo = (world: World): World => ({
  ...world,
  nodes: nodesOf([scene.anvil.node, other.node], { chainId: CHAIN_ID, genesis: null }, wallClock),
  agreeAbove: ALONE,
})
const credits = async () => (await scene.credited()).map(({ amount }) => amount)

onAnvil('a sum above the limit waits until a second node has the same blocks', async () => {
  const settler = await scene.settler('two nodes', withTwo)
  await sync()
  await scene.deposit(alice, 90_000_000)
  await settler.round()
  expect(await credits()).toEqual(['90000000']) // one node is enough for it
  await sync()
  await scene.deposit(alice, 300_000_000)
  for (let rounds = 0; rounds < 3; rounds++) {
    const { watched, troubles } = await settler.round()
    expect(watched?.credited ?? []).toEqual([])
    expect(watched?.waiting ?? troubles.find(({ step }) => step === 'deposits')?.reason).toBe('second_node')
  }
  expect(await credits()).toHaveLength(1)
  await sync()
  await settler.until(async () => (await credits()).length === 2)

  // The same for what is paid: only the first node shows the root.
  await scene.withdraw(alice, 200_000_000, `0x${'d1'.repeat(20)}`)
  for (let rounds = 0; rounds < 4; rounds++) await settler.round()
  expect(await scene.balanceOf(`0x${'d1'.repeat(20)}`)).toBe(0)
  await settler.until(async () => {
    await sync()
    return (await scene.balanceOf(`0x${'d1'.repeat(20)}`)) === 200_000_000
  })
  await settler.until(async () => {
    await sync()
    return (await scene.stepsOf()).includes('settled')
  })
  await settler.release()
})

onAnvil('a node with a chain of its own, in which a deposit was made that the other does not have, gets nothing credited', async () => {
  const settler = await scene.settler('disagreeing', withTwo)
  await sync()
  const before = await credits()
  await scene.deposit(bob, 400_000_000)
  await other.ask('anvil_mine', '0x5') // the same numbers, other blocks
  for (let rounds = 0; rounds < 3; rounds++) {
    const { troubles } = await settler.round()
    expect(troubles).toContainEqual(expect.objectContaining({ step: 'deposits', reason: 'disagree' }))
  }
  expect(await credits()).toEqual(before)
  await settler.release()
})

onAnvil('a head that the node invents confirms nothing, and the settler goes on as soon as it is told the truth', async () => {
  const invented = `0x${'fe'.repeat(32)}`
  const settler = await scene.settler('lied to', (world) => {
    const node = at(between.url)
    return { ...world, nodes: { any: node, both: node }, confirmation: { confirmations: 3, finalized: false } }
  })
  await settler.until(async () => {
    await scene.anvil.ask('anvil_mine', '0x1')
    return (await credits()).includes('400000000')
  })
  const before = await credits()
  await scene.deposit(bob, 5_000_000)
  const { number } = (await scene.anvil.node.block('latest'))!
  const ahead = `0x${(number + 3).toString(16)}`
  // By the head alone the deposit would have its confirmations; the node has no block of that number.
  lie = (block, asked) => (asked === 'latest' ? { ...block, number: ahead, hash: invented } : block)
  for (let rounds = 0; rounds < 3; rounds++) expect(await settler.round()).toMatchObject({ at: null })
  expect(await credits()).toEqual(before)
  lie = (block) => block
  expect((await settler.round()).watched?.pending).toMatchObject([{ amount: 5_000_000 }])
  await scene.anvil.ask('anvil_mine', '0x3')
  await settler.until(async () => (await credits()).length === before.length + 1)
  await settler.release()
})
