import { type Hex, keccak256 } from 'viem'
import { askNode, type Endpoint, type Request } from './json-rpc.ts'
import { NodeError } from './node-error.ts'
import type { Block, Log, Node, Pin } from './ports.ts'

/** Calls sent in one batch. Providers refuse long ones. */
const BATCH = 50

/** A node behind a JSON-RPC URL. Answers are bounded in time and size and checked against the protocol; 429 is retried with back-off. */
export function rpcNode(endpoint: Endpoint): Node {
  const ask = async (method: string, ...params: unknown[]) => (await askNode(endpoint, [[method, params]]))[0]
  return {
    chainId: async () => count(await ask('eth_chainId')),
    block: (at) => blockAt(ask, at),
    async call(calls, at) {
      const requests = calls.map((call): Request => ['eth_call', [call, exactly(at)]])
      const results: Hex[] = []
      for (let from = 0; from < requests.length; from += BATCH)
        results.push(...(await askNode(endpoint, requests.slice(from, from + BATCH))).map((result) => bytes(result)))
      return results
    },
    logs: async (filter) => logsOf(await ask('eth_getLogs', rpcFilter(filter)), filter),
    nonce: async (account, at) => count(await ask('eth_getTransactionCount', account, exactly(at))),
    balance: async (account, at) => quantity(await ask('eth_getBalance', account, exactly(at))),
    code: async (address, at) => bytes(await ask('eth_getCode', address, exactly(at))),
    tip: async () => quantity(await ask('eth_maxPriorityFeePerGas')),
    async send(raw) {
      const hash = await ask('eth_sendRawTransaction', raw).catch((error: unknown) => {
        if (error instanceof NodeError && /already ?(known|imported|exists)|known transaction/i.test(error.message)) return keccak256(raw)
        throw error
      })
      if (word(hash) !== keccak256(raw)) throw new NodeError('garbage', 'the node took another transaction than the one sent')
    },
  }
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

async function blockAt(ask: Ask, at: number | 'latest' | 'finalized'): Promise<Block | null> {
  const given = await ask('eth_getBlockByNumber', typeof at === 'number' ? hex(at) : at, false).catch((error: unknown) => {
    // A chain that has not finalised anything yet.
    if (at === 'finalized' && error instanceof NodeError && /not found|unknown block/i.test(error.message)) return null
    throw error
  })
  if (given === null) return null
  const fields = record(given)
  const block = {
    number: count(fields.number),
    hash: word(fields.hash),
    parent: word(fields.parentHash),
    at: count(fields.timestamp),
    baseFee: quantity(fields.baseFeePerGas),
  }
  if (typeof at === 'number' && block.number !== at) throw new NodeError('garbage', `the node answered block ${block.number}, not ${at}`)
  return block
}

type Filter = Parameters<Node['logs']>[0]

const rpcFilter = ({ address, topics, from, to }: Filter) => ({ address, topics: [topics], fromBlock: hex(from), toBlock: hex(to) })

function logsOf(given: unknown, { address, topics, from, to }: Filter): Log[] {
  if (!Array.isArray(given)) throw new NodeError('garbage', 'the node answered no list of logs')
  const logs = given.map((one) => {
    const fields = record(one)
    const log = {
      address: bytes(fields.address, 20),
      topics: Array.isArray(fields.topics) ? fields.topics.map(word) : [],
      data: bytes(fields.data),
      block: { number: count(fields.blockNumber), hash: word(fields.blockHash) },
      transaction: word(fields.transactionHash),
      index: count(fields.logIndex),
    }
    const isAsked = log.address === address.toLowerCase() && topics.includes(log.topics[0]!) && fields.removed !== true
    if (!isAsked || log.block.number < from || log.block.number > to) throw new NodeError('garbage', 'the node answered other logs')
    return log
  })
  logs.sort((a, b) => a.block.number - b.block.number || a.index - b.index)
  return logs.map(({ index, ...log }) => log)
}

/** EIP-1898: this block, and only while it is part of the chain. */
const exactly = ({ hash }: Pin) => ({ blockHash: hash, requireCanonical: true })

const hex = (number: number): Hex => `0x${number.toString(16)}`

function record(given: unknown): Record<string, unknown> {
  if (typeof given !== 'object' || given === null) throw new NodeError('garbage', 'the node answered no object')
  return given as Record<string, unknown>
}

function quantity(given: unknown): bigint {
  if (typeof given !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(given)) throw new NodeError('garbage', 'the node answered no quantity')
  return BigInt(given)
}

function count(given: unknown): number {
  const number = Number(quantity(given))
  if (!Number.isSafeInteger(number)) throw new NodeError('garbage', 'the node answered too large a number')
  return number
}

function bytes(given: unknown, length?: number): Hex {
  const isBytes = typeof given === 'string' && /^0x([0-9a-f]{2})*$/i.test(given)
  if (!isBytes || (length !== undefined && given.length !== 2 + 2 * length)) throw new NodeError('garbage', 'the node answered no bytes')
  return given.toLowerCase() as Hex
}

const word = (given: unknown): Hex => bytes(given, 32)
