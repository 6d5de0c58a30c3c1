import type { Hex } from 'viem'
import { NodeError, type NodeFault } from './node-error.ts'
import type { Block, Clock, Node, Nodes, Pin } from './ports.ts'

/** The chain that nodes must serve. */
export interface Identity {
  chainId: number
  /** Hash of block 0; null until the settler has stored it. */
  genesis: Hex | null
}

/** Milliseconds after which a node is asked for its chain again: what is behind a URL may change. */
const IDENTITY_MS = 60_000
/** Another node may know better. A revert is an answer. */
const ELSEWHERE = new Set<NodeFault>(['silent', 'busy', 'garbage', 'refused', 'wrong_chain'])

/** Joins one or two nodes. Each is checked for its chain before its first answer, every minute, and after each failure. */
export function nodesOf(nodes: readonly [Node] | readonly [Node, Node], identity: Identity, clock: Clock): Nodes {
  const [first, second] = nodes.map((node) => checked(node, identity, clock))
  if (!first) throw new RangeError('no node is named')
  return second ? { any: either(first, second), both: agreeing(first, second) } : { any: first, both: first }
}

/** Asks the same of a node each time, once it is known to serve the chain. */
function checked(node: Node, { chainId, genesis }: Identity, clock: Clock): Node {
  let until = Number.NEGATIVE_INFINITY
  const check = async () => {
    const served = await node.chainId()
    if (served !== chainId) throw new NodeError('wrong_chain', `the node serves chain ${served} instead of ${chainId}`)
    const first = await node.block(0)
    if (genesis !== null && first?.hash !== genesis) throw new NodeError('wrong_chain', `block 0 is ${first?.hash} instead of ${genesis}`)
    until = clock.now() + IDENTITY_MS
  }
  return each(async (method, args) => {
    if (clock.now() >= until) await check()
    try {
      return await invoke(node, method, args)
    } catch (error) {
      if (error instanceof NodeError && error.kind !== 'reverted') until = Number.NEGATIVE_INFINITY
      throw error
    }
  })
}

/** The first node's answer, or the second's where the first has none. */
function either(first: Node, second: Node): Node {
  return each(async (method, args) => {
    if (method === 'send') return sent(first, second, args)
    try {
      return await invoke(first, method, args)
    } catch (error) {
      if (!(error instanceof NodeError && ELSEWHERE.has(error.kind))) throw error
      return invoke(second, method, args)
    }
  })
}

/** One answer of two nodes. Throws `NodeError` of kind `disagree` where they differ. */
function agreeing(first: Node, second: Node): Node {
  return each(async (method, args) => {
    if (method === 'send') return sent(first, second, args)
    const [a, b] = await Promise.all([invoke(first, method, args), invoke(second, method, args)])
    if (method === 'tip') return (a as bigint) > (b as bigint) ? a : b
    if (method === 'block' && typeof args[0] !== 'number') return lower(first, second, a as Block | null, b as Block | null)
    if (textOf(a) !== textOf(b)) throw new NodeError('disagree', `the nodes answer ${method} differently`)
    return a
  })
}

/** The lower of two heads, which must be part of both chains. One node may be behind the other. */
async function lower(first: Node, second: Node, a: Block | null, b: Block | null): Promise<Block | null> {
  if (!a || !b) return null
  const [low, other] = a.number <= b.number ? [a, second] : [b, first]
  const same = await other.block(low.number)
  if (same?.hash !== low.hash) throw new NodeError('disagree', `the nodes have different blocks ${low.number}`)
  return low
}

/** Sends to both nodes; one that takes it is enough. */
async function sent(first: Node, second: Node, args: readonly unknown[]): Promise<void> {
  const results = await Promise.allSettled([invoke(first, 'send', args), invoke(second, 'send', args)])
  const [one] = results
  if (one?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw one.reason
}

const METHODS = ['chainId', 'block', 'call', 'logs', 'nonce', 'balance', 'code', 'tip', 'send'] as const satisfies (keyof Node)[]
type Method = (typeof METHODS)[number]

/** Reads whose answer follows from the block that they name. */
const AT_BLOCK = new Set<Method>(['call', 'nonce', 'balance', 'code'])

/** Nodes that send each read at a block once and answer it from memory afterwards: for one round, whose steps read the same. */
export function rememberingNodes({ any, both }: Nodes): Nodes {
  const first = remembering(any)
  return { any: first, both: both === any ? first : remembering(both) }
}

function remembering(node: Node): Node {
  const answers = new Map<string, Promise<unknown>>()
  return each((method, args) => {
    if (!AT_BLOCK.has(method)) return invoke(node, method, args)
    const key = textOf([method, ...args.slice(0, -1), (args.at(-1) as Pin).hash])
    const answer = answers.get(key) ?? invoke(node, method, args)
    answers.set(key, answer)
    answer.catch(() => answers.delete(key))
    return answer
  })
}

/** A node whose methods all go through one function. */
const each = (ask: (method: Method, args: readonly unknown[]) => Promise<unknown>): Node =>
  Object.fromEntries(METHODS.map((method) => [method, (...args: unknown[]) => ask(method, args)])) as unknown as Node

const invoke = (node: Node, method: Method, args: readonly unknown[]): Promise<unknown> =>
  (node[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args)

const textOf = (answer: unknown): string => JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
