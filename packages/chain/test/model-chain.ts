import type { Prng } from '@augury/testing/prng'
import { type Hex, keccak256, stringToHex } from 'viem'
import { NodeError } from '../src/node-error.ts'
import type { Block, Call, Log, Node, Pin, Signer, Transaction } from '../src/ports.ts'

/** What a transaction does to the contracts of a model chain. A throw is a revert: nothing changes. */
export interface Contracts<State> {
  begin: State
  execute(state: State, from: Hex, to: Hex, data: Hex, at: number): { state: State; logs: Pick<Log, 'address' | 'topics' | 'data'>[] }
  call(state: State, call: Call, at: number): Hex
  code(state: State, address: Hex): Hex
}

interface Pooled {
  from: Hex
  nonce: number
  to: Hex
  data: Hex
  maxFee: bigint
  tip: bigint
  hash: Hex
}
interface Mined<State> extends Block {
  state: State
  nonces: ReadonlyMap<Hex, number>
  logs: Log[]
  transactions: Pooled[]
}

const hashOf = (text: string): Hex => keccak256(stringToHex(text))

/** A signer whose bytes are the transaction itself. */
export const modelSigner = (address: Hex): Signer => ({
  address,
  sign: async (transaction) =>
    stringToHex(JSON.stringify({ ...transaction, from: address, maxFee: String(transaction.maxFee), tip: String(transaction.tip) })),
})

function parsed(raw: Hex): Pooled {
  const text = Buffer.from(raw.slice(2), 'hex').toString()
  const { from, nonce, to, data, maxFee, tip } = JSON.parse(text) as Transaction & { from: Hex; maxFee: string; tip: string }
  return { from, nonce, to, data, maxFee: BigInt(maxFee), tip: BigInt(tip), hash: keccak256(raw) }
}

/** A chain with a pool, whose blocks can be undone to any depth. It mines what it likes of the pool, in the order of nonces. */
export class ModelChain<State> {
  readonly #contracts: Contracts<State>
  readonly #random: Prng
  blocks: Mined<State>[]
  pool: Pooled[] = []
  baseFee = 10n
  #made = 0

  constructor(contracts: Contracts<State>, random: Prng) {
    this.#contracts = contracts
    this.#random = random
    const genesis = { number: 0, hash: hashOf('genesis'), parent: hashOf(''), at: 0, baseFee: this.baseFee }
    this.blocks = [{ ...genesis, state: contracts.begin, nonces: new Map(), logs: [], transactions: [] }]
  }

  get head(): Mined<State> {
    return this.blocks.at(-1)!
  }

  nonceOf(address: Hex, block = this.head): number {
    return block.nonces.get(address) ?? 0
  }

  submit(raw: Hex): void {
    const given = parsed(raw)
    if (given.nonce < this.nonceOf(given.from)) throw new NodeError('refused', 'nonce too low')
    const at = this.pool.findIndex(({ from, nonce }) => from === given.from && nonce === given.nonce)
    const old = this.pool[at]
    if (!old) this.pool.push(given)
    else if (old.hash !== given.hash) {
      if (given.maxFee * 10n < old.maxFee * 11n || given.tip * 10n < old.tip * 11n)
        throw new NodeError('refused', 'replacement transaction underpriced')
      this.pool[at] = given
    }
  }

  /** Appends a block with some of the pool: each executable transaction with this probability. */
  mine(share = 1): void {
    const parent = this.head
    const nonces = new Map(parent.nonces)
    const number = parent.number + 1
    const hash = hashOf(`${parent.hash} ${this.#made++}`)
    let { state } = parent
    const logs: Log[] = []
    const transactions: Pooled[] = []
    for (const one of this.#shuffled().sort((a, b) => (a.from === b.from ? a.nonce - b.nonce : 0))) {
      if (one.nonce !== (nonces.get(one.from) ?? 0) || one.maxFee < this.baseFee || !this.#random.chance(share)) continue
      nonces.set(one.from, one.nonce + 1)
      transactions.push(one)
      try {
        const done = this.#contracts.execute(state, one.from, one.to, one.data, number)
        state = done.state
        logs.push(...done.logs.map((log) => ({ ...log, block: { number, hash }, transaction: one.hash })))
      } catch {
        // reverted: the nonce is used, nothing else happened
      }
    }
    this.pool = this.pool.filter(({ from, nonce }) => nonce >= (nonces.get(from) ?? 0))
    this.blocks.push({ number, hash, parent: parent.hash, at: number * 12, baseFee: this.baseFee, state, nonces, logs, transactions })
  }

  mineMany(blocks: number, share = 1): void {
    for (let n = 0; n < blocks; n++) this.mine(share)
  }

  /** Undoes blocks. Each of their transactions goes back to the pool, or is forgotten, with this probability. */
  undo(depth: number, forgotten = 0): void {
    const undone = this.blocks.splice(Math.max(1, this.blocks.length - depth))
    const back = undone.flatMap(({ transactions }) => transactions).filter(() => !this.#random.chance(forgotten))
    this.pool.push(...back.filter(({ from, nonce }) => !this.pool.some((other) => other.from === from && other.nonce === nonce)))
  }

  /** Forgets some of the pool, as nodes that are full do. */
  drop(share: number): void {
    this.pool = this.pool.filter(() => !this.#random.chance(share))
  }

  #shuffled(): Pooled[] {
    const order = this.pool.map((one) => ({ one, rank: this.#random.unit() }))
    return order.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
  }

  #call(call: Call, at: Pin): Hex {
    const { state } = this.#at(at)
    try {
      return this.#contracts.call(state, call, at.number)
    } catch (error) {
      throw new NodeError('reverted', String(error))
    }
  }

  #at({ number, hash }: Pin): Mined<State> {
    const block = this.blocks[number]
    if (block?.hash !== hash) throw new NodeError('refused', 'header not found')
    return block
  }

  /** A truthful node of this chain. */
  node(): Node {
    const plain = ({ number, hash, parent, at, baseFee }: Block): Block => ({ number, hash, parent, at, baseFee })
    return {
      chainId: async () => 1,
      block: async (at) => {
        const number = at === 'latest' ? this.head.number : at === 'finalized' ? Math.max(0, this.head.number - 4) : at
        const found = this.blocks[number]
        return found ? plain(found) : null
      },
      call: async (calls, at) => calls.map((call) => this.#call(call, at)),
      logs: async ({ address, topics, from, to }) =>
        this.blocks
          .slice(from, to + 1)
          .flatMap(({ logs }) => logs)
          .filter((log) => log.address === address && topics.includes(log.topics[0]!)),
      nonce: async (account, at) => this.nonceOf(account, this.#at(at)),
      balance: async () => 1n,
      code: async (address, at) => this.#contracts.code(this.#at(at).state, address),
      tip: async () => 1n,
      send: async (raw) => this.submit(raw),
    }
  }
}

/** How often a node fails, and how. */
export interface Faults {
  /** Fails before doing the work, or after it. */
  fails: number
  /** Shows a head that is higher than its own, or an old one; leaves out logs; forgets a nonce. */
  lies: number
}

/** The same node, unreliable. No lie survives a second look at a block's own hash, as with a node that is confused and not malicious. */
export function faulty(node: Node, random: Prng, faults: Faults): Node {
  const broken = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (random.chance(faults.fails / 2)) throw new NodeError('silent', 'no answer')
    const result = await work()
    if (random.chance(faults.fails / 2)) throw new NodeError('silent', 'no answer')
    return result
  }
  return {
    chainId: () => broken(node.chainId),
    block: (at) =>
      broken(async () => {
        const block = await node.block(at)
        if (at !== 'latest' || !block || !random.chance(faults.lies)) return block
        if (random.chance(0.5)) return { ...block, number: block.number + random.integer(1, 20) }
        return node.block(Math.max(0, block.number - random.integer(1, 10)))
      }),
    call: (calls, at) => broken(() => node.call(calls, at)),
    logs: (filter) => broken(async () => (await node.logs(filter)).filter(() => !random.chance(faults.lies / 4))),
    nonce: (account, at) => broken(async () => (random.chance(faults.lies) ? 0 : node.nonce(account, at))),
    balance: (account, at) => broken(() => node.balance(account, at)),
    code: (address, at) => broken(() => node.code(address, at)),
    tip: () => broken(node.tip),
    send: (raw) => broken(() => node.send(raw)),
  }
}

/** The process ended here. */
export class Crash extends Error {}

/** The same object, which may crash its caller before or after each call. */
export const crashing = <Port extends object>(port: Port, crash: () => boolean): Port =>
  new Proxy(port, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        if (crash()) throw new Crash()
        const result = await value.apply(target, args)
        if (crash()) throw new Crash()
        return result
      }
    },
  })
