import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { rpcNode } from '../src/node.ts'
import { NodeError } from '../src/node-error.ts'
import { nodesOf } from '../src/nodes.ts'
import type { Clock, Node } from '../src/ports.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const BLOCK = { number: '0x5', hash: hash('a'), parentHash: hash('b'), timestamp: '0x64', baseFeePerGas: '0x7' }
const PIN = { number: 5, hash: hash('a') }
const VAULT = `0x${'11'.repeat(20)}` as const
const TOPIC = hash('c')

/** A clock whose time passes only by sleeping. What sleeps for an answer's deadline wakes when nothing else does. */
function sleeper(): Clock & { slept: number[] } {
  const slept: number[] = []
  return {
    slept,
    now: () => 0,
    sleep: (milliseconds, signal) => {
      slept.push(milliseconds)
      if (milliseconds < 5000) return Promise.resolve()
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
    },
  }
}

type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string }

/** A node whose answers are these, in order; the last one for ever. A body without `jsonrpc` becomes a result. */
function nodeThat(...replies: Reply[]) {
  const clock = sleeper()
  const asked: { method: string; params: unknown[]; id: number }[] = []
  let at = 0
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const { status = 200, headers = {}, body, text } = replies[Math.min(at++, replies.length - 1)]!
    const request = JSON.parse(String(init?.body))
    asked.push(...[request].flat())
    const envelope = (value: unknown, id: number) =>
      typeof value === 'object' && value !== null && 'jsonrpc' in value ? value : { jsonrpc: '2.0', id, result: value }
    const answer = Array.isArray(request) && Array.isArray(body) ? body.map(envelope) : envelope(body, 0)
    return new Response(text ?? JSON.stringify(answer), { status, headers })
  }
  return { node: rpcNode({ url: 'http://node.example', clock, fetch, answerMax: 100_000 }), asked, clock }
}

const error = (code: number, message: string, data?: string) => ({ jsonrpc: '2.0', id: 0, error: { code, message, data } })
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no fault',
    (thrown: unknown) => (thrown instanceof NodeError ? thrown.kind : thrown),
  )

test.each<[string, Reply, string]>([
  ['no JSON', { text: '<html>' }, 'garbage'],
  ['an empty answer', { text: '' }, 'garbage'],
  ['a text', { text: '"x"' }, 'garbage'],
  ['null', { text: 'null' }, 'garbage'],
  ['another id', { body: { jsonrpc: '2.0', id: 7, result: BLOCK } }, 'garbage'],
  ['neither result nor error', { body: { jsonrpc: '2.0', id: 0 } }, 'garbage'],
  ['a number for a block', { body: 5 }, 'garbage'],
  ['a block of another height', { body: { ...BLOCK, number: '0x6' } }, 'garbage'],
  ['a short hash', { body: { ...BLOCK, hash: '0x12' } }, 'garbage'],
  ['a decimal height', { body: { ...BLOCK, number: 5 } }, 'garbage'],
  ['an endless height', { body: { ...BLOCK, number: `0x${'f'.repeat(64)}` } }, 'garbage'],
  ['no base fee', { body: { ...BLOCK, baseFeePerGas: undefined } }, 'garbage'],
  ['more than it may', { text: `"${'x'.repeat(200_000)}"` }, 'garbage'],
  ['an error', { body: error(-32000, 'header not found') }, 'refused'],
  ['429 for ever', { status: 429 }, 'busy'],
  ['503 for ever', { status: 503 }, 'busy'],
  ['its own limit', { body: error(-32005, 'limit exceeded') }, 'busy'],
])('%s instead of a block: %j', async (_, reply, fault) => {
  expect(await faultOf(nodeThat(reply).node.block(5))).toBe(fault)
})

test('a block is read as it is, and null where there is none', async () => {
  expect(await nodeThat({ body: BLOCK }).node.block(5)).toEqual({ number: 5, hash: hash('a'), parent: hash('b'), at: 100, baseFee: 7n })
  expect(await nodeThat({ body: null }).node.block(5)).toBeNull()
  expect(await nodeThat({ body: error(-32000, 'finalized block not found') }).node.block('finalized')).toBeNull()
})

test('429 is waited for, as long as the node says, and then the same is asked again', async () => {
  const { node, clock, asked } = nodeThat({ status: 429 }, { status: 429, headers: { 'retry-after': '1' } }, { body: BLOCK })
  expect((await node.block(5))?.number).toBe(5)
  expect(clock.slept.slice(1)).toEqual([250, 1000])
  expect(asked.map(({ method }) => method)).toEqual(Array(3).fill('eth_getBlockByNumber'))
})

test('a node that never answers is silent after its time', async () => {
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
  const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() }
  expect(await faultOf(rpcNode({ url: 'http://node.example', clock, fetch }).chainId())).toBe('silent')
})

test('a node that stops in the middle of its answer is silent', async () => {
  const body = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"json'))
        controller.error(new Error('reset'))
      },
    })
  const fetch: typeof globalThis.fetch = async () => new Response(body())
  expect(await faultOf(rpcNode({ url: 'http://node.example', clock: sleeper(), fetch }).chainId())).toBe('silent')
})

test('calls go out in one batch at one block, and come back in order', async () => {
  const { node, asked } = nodeThat({
    body: [
      { jsonrpc: '2.0', id: 1, result: '0x02' },
      { jsonrpc: '2.0', id: 0, result: '0x01' },
    ],
  })
  const call = { to: VAULT, data: '0x12' } as const
  expect(await node.call([call, call], PIN)).toEqual(['0x01', '0x02'])
  expect(asked[0]?.params).toEqual([call, { blockHash: PIN.hash, requireCanonical: true }])
})

test.each<[string, unknown, string]>([
  [
    'one answer twice',
    [
      { jsonrpc: '2.0', id: 0, result: '0x' },
      { jsonrpc: '2.0', id: 0, result: '0x' },
    ],
    'garbage',
  ],
  ['one answer too few', [{ jsonrpc: '2.0', id: 0, result: '0x' }], 'garbage'],
  ['odd digits', ['0x1', '0x'], 'garbage'],
  ['one error for all', error(-32000, 'batch too large'), 'refused'],
  ['a revert', ['0x', { ...error(3, 'execution reverted', '0xdeadbeef'), id: 1 }], 'reverted'],
])('a batch with %s', async (_, body, fault) => {
  const call = { to: VAULT, data: '0x' } as const
  expect(await faultOf(nodeThat({ body }).node.call([call, call], PIN))).toBe(fault)
})

test('a revert carries its data', async () => {
  const { node } = nodeThat({ body: error(3, 'execution reverted', '0xDEADBEEF') })
  await expect(node.call([{ to: VAULT, data: '0x' }], PIN)).rejects.toMatchObject({ kind: 'reverted', data: '0xdeadbeef' })
})

const LOG = {
  address: VAULT,
  topics: [TOPIC],
  data: '0x01',
  blockNumber: '0x5',
  blockHash: hash('a'),
  transactionHash: hash('d'),
  logIndex: '0x0',
  removed: false,
}
const FILTER = { address: VAULT, topics: [TOPIC], from: 1, to: 9 } as const

test('logs come in the order of the chain', async () => {
  const { node } = nodeThat({
    body: [
      { ...LOG, logIndex: '0x1', data: '0x03' },
      { ...LOG, data: '0x02' },
      { ...LOG, blockNumber: '0x4' },
    ],
  })
  expect((await node.logs(FILTER)).map(({ data }) => data)).toEqual(['0x01', '0x02', '0x03'])
})

test.each<[string, object]>([
  ['of another contract', { address: `0x${'22'.repeat(20)}` }],
  ['with another topic', { topics: [hash('e')] }],
  ['without topics', { topics: [] }],
  ['above the range', { blockNumber: '0xa' }],
  ['that was removed', { removed: true }],
])('a log %s is garbage', async (_, change) => {
  expect(await faultOf(nodeThat({ body: [{ ...LOG, ...change }] }).node.logs(FILTER))).toBe('garbage')
})

test.each<[string, unknown, string]>([
  ['took it', keccak256('0x02aa'), 'no fault'],
  ['has it already', error(-32000, 'already known'), 'no fault'],
  ['has it already, as Nethermind says it', error(-32000, 'AlreadyKnown'), 'no fault'],
  ['took another', hash('f'), 'garbage'],
  ['wants more', error(-32000, 'replacement transaction underpriced'), 'refused'],
])('of a transaction the node says that it %s', async (_, body, fault) => {
  expect(await faultOf(nodeThat({ body }).node.send('0x02aa'))).toBe(fault)
})

/** A node of chain 1 with genesis `e`, changed in some answers. */
const healthy = (change: Partial<Node> = {}): Node => ({
  chainId: async () => 1,
  block: async (at) => {
    const number = typeof at === 'number' ? at : 9
    return { number, hash: hash(number === 0 ? 'e' : 'a'), parent: hash('b'), at: 0, baseFee: 7n }
  },
  call: async (calls) => calls.map(() => '0x01' as const),
  logs: async () => [],
  nonce: async () => 3,
  balance: async () => 5n,
  code: async () => '0x',
  tip: async () => 1n,
  send: async () => {},
  ...change,
})
const IDENTITY = { chainId: 1, genesis: hash('e') }
const silent = async () => {
  throw new NodeError('silent', 'no answer')
}

test.each<[string, Partial<Node>]>([
  ['another chain ID', { chainId: async () => 2 }],
  ['another genesis', { block: async () => ({ number: 0, hash: hash('9'), parent: hash('b'), at: 0, baseFee: 7n }) }],
  ['no genesis', { block: async () => null }],
])('a node with %s is not used', async (_, change) => {
  expect(await faultOf(nodesOf([healthy(change)], IDENTITY, sleeper()).any.tip())).toBe('wrong_chain')
  expect(await nodesOf([healthy(change), healthy()], IDENTITY, sleeper()).any.tip()).toBe(1n)
  expect(await faultOf(nodesOf([healthy(), healthy(change)], IDENTITY, sleeper()).both.tip())).toBe('wrong_chain')
})

test('a node is asked for its chain again after a minute and after a failure', async () => {
  let served = 1
  let now = 0
  let fails = false
  const node = healthy({ chainId: async () => served, tip: () => (fails ? silent() : Promise.resolve(1n)) })
  const { any } = nodesOf([node], IDENTITY, { ...sleeper(), now: () => now })
  await any.tip()
  served = 2
  expect(await any.tip()).toBe(1n)
  now = 60_000
  expect(await faultOf(any.tip())).toBe('wrong_chain')
  served = 1
  await any.tip()
  fails = true
  expect(await faultOf(any.tip())).toBe('silent')
  fails = false
  served = 2
  expect(await faultOf(any.tip())).toBe('wrong_chain')
})

test('where the first node is silent the second one answers, and both must agree on what matters', async () => {
  const { any, both } = nodesOf([healthy({ balance: silent }), healthy()], IDENTITY, sleeper())
  expect(await any.balance(VAULT, PIN)).toBe(5n)
  expect(await faultOf(both.balance(VAULT, PIN))).toBe('silent')
  const two = nodesOf([healthy(), healthy({ nonce: async () => 4 })], IDENTITY, sleeper())
  expect(await two.any.nonce(VAULT, PIN)).toBe(3)
  expect(await faultOf(two.both.nonce(VAULT, PIN))).toBe('disagree')
})

test('of two heads the lower one counts, and only if both nodes have that block', async () => {
  const at =
    (height: number, digit: string): Node['block'] =>
    async (wanted) => {
      const number = typeof wanted === 'number' ? wanted : height
      return number > height ? null : { number, hash: hash(number === 0 ? 'e' : digit), parent: hash('b'), at: 0, baseFee: 7n }
    }
  const same = nodesOf([healthy({ block: at(12, 'a') }), healthy({ block: at(10, 'a') })], IDENTITY, sleeper())
  expect((await same.both.block('latest'))?.number).toBe(10)
  const forked = nodesOf([healthy({ block: at(12, 'a') }), healthy({ block: at(10, 'd') })], IDENTITY, sleeper())
  expect(await faultOf(forked.both.block('latest'))).toBe('disagree')
})

test('a transaction goes to both nodes, and one that takes it is enough', async () => {
  const seen: string[] = []
  const taking = healthy({
    send: async (raw) => {
      seen.push(raw)
    },
  })
  await nodesOf([healthy({ send: silent }), taking], IDENTITY, sleeper()).any.send('0x02')
  await nodesOf([taking, taking], IDENTITY, sleeper()).both.send('0x03')
  expect(seen).toEqual(['0x02', '0x03', '0x03'])
  expect(await faultOf(nodesOf([healthy({ send: silent }), healthy({ send: silent })], IDENTITY, sleeper()).any.send('0x02'))).toBe(
    'silent',
  )
})
