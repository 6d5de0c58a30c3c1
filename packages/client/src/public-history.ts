import { assetBytes, bytesHex, compareBytes, type Hex, hexBytes, putRecord, RECORD_BYTES, stateTree } from '@augury/signing/state-tree'
import { formatLots, formatPrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { Level } from '@augury/wire/book'
import type { Fact, SignedRoot } from '@augury/wire/proof'
import { RefusedError } from './answer.ts'
import { plainSha256 } from './verify-balance.ts'

/** The contents of a root, recomputed from public history. Amounts in millionths. */
export type RebuiltState = Record<'root' | 'usdc' | 'locked' | 'converted' | 'custody', string> & {
  seq: number
  assets: number
  holders: number
}

interface OpenOrder {
  market: string
  outcome: 0 | 1
  side: 'BUY' | 'SELL'
  price: number
  lots: number
  matched: number
}

const USDC = 'USDC'
type AssetName = string

const nameOf = (market: string | null, outcome: 0 | 1 | null): AssetName => (market === null ? USDC : `${market} ${outcome}`)

/**
 * Rebuilds every book and balance from the public history alone, so that a signed root can be checked without trusting the exchange.
 * Apply facts in order, up to the end of a command.
 */
export class PublicHistory {
  /** Position up to which history was applied. */
  seq = 0
  /** Contradictions found: negative balances, or more filled than an order had. */
  readonly impossible: string[] = []
  readonly #balances = new Map<AssetName, Map<string, number>>()
  readonly #orders = new Map<string, OpenOrder>()
  readonly #weights = new Map<string, number>()
  #custody = 0

  /** Applies the next fact. */
  apply(fact: Fact): void {
    switch (fact.kind) {
      case 'placed': {
        const { market, outcome, side, price, lots } = fact
        this.#orders.set(fact.order, { market, outcome, side, price, lots, matched: 0 })
        break
      }
      case 'filled':
        for (const name of [fact.taker, fact.maker]) this.#fill(name, fact.lots, fact.seq)
        break
      case 'changed': {
        const order = this.#orders.get(fact.order)
        if (fact.ended !== null) this.#orders.delete(fact.order)
        else if (order) order.lots = fact.lots
        break
      }
      case 'entry':
        this.#enter(fact)
        break
      case 'market':
        if (fact.weight !== null) this.#weights.set(fact.market, fact.weight)
    }
  }

  /** Records that everything up to this position was applied. */
  reached(seq: number): void {
    this.seq = seq
    for (const [asset, holders] of this.#balances) {
      for (const [holder, amount] of holders) {
        if (amount < 0) this.impossible.push(`${holder} has ${amount} of ${asset} at ${seq}`)
        if (amount === 0) holders.delete(holder)
      }
      if (holders.size === 0) this.#balances.delete(asset)
    }
  }

  #fill(name: string, lots: number, seq: number): void {
    const order = this.#orders.get(name)
    if (!order) return void this.impossible.push(`order ${name} was filled at ${seq} and is not open`)
    order.matched += lots
    if (order.matched > order.lots) this.impossible.push(`order ${name} was filled beyond its size at ${seq}`)
  }

  #enter({ holder, market, outcome, delta, withdrawing, reason }: Extract<Fact, { kind: 'entry' }>): void {
    const asset = nameOf(market, outcome)
    const holders = this.#balances.get(asset) ?? new Map<string, number>()
    this.#balances.set(asset, holders)
    holders.set(holder, (holders.get(holder) ?? 0) + delta + withdrawing)
    if (reason === 'deposit' || reason === 'withdraw_settled') this.#custody += delta + withdrawing
  }

  /** A holder's balance of an asset, in millionths of USDC or in lots. */
  balance(holder: string, market: string | null, outcome: 0 | 1 | null): number {
    return this.#balances.get(nameOf(market, outcome))?.get(holder) ?? 0
  }

  /** The resulting state, with its root. */
  state(): RebuiltState {
    const state = [...this.#balances].map(([name, holders]) => ({ asset: bytesOf(name), leaves: leavesOf(holders) }))
    state.sort((a, b) => compareBytes(a.asset, b.asset))
    const usdc = total(this.#balances.get(USDC))
    let locked = 0
    for (const market of new Set([...this.#balances.keys()].filter((name) => name !== USDC).map((name) => name.split(' ')[0]!))) {
      const [yes, no] = ([0, 1] as const).map((outcome) => total(this.#balances.get(nameOf(market, outcome)))) as [number, number]
      const weight = this.#weights.get(market)
      if (weight === undefined && yes < no) this.impossible.push(`${market} has ${no} No lots and only ${yes} Yes`)
      locked += weight === undefined ? no * ONE : yes * weight + no * (ONE - weight)
    }
    return {
      seq: this.seq,
      assets: state.length,
      holders: this.#balances.get(USDC)?.size ?? 0,
      root: state.length === 0 ? '' : bytesHex(stateTree(plainSha256, state).root).slice(2),
      usdc: String(usdc),
      locked: String(locked),
      converted: String(this.#custody - usdc - locked),
      custody: String(this.#custody),
    }
  }

  /** The fields in which a signed root differs from the rebuilt state; empty when they agree. History must be at the root's position. */
  differences(root: SignedRoot): string[] {
    const rebuilt = this.state()
    const names = ['seq', 'assets', 'holders', 'usdc', 'locked', 'converted', 'custody', 'root'] as const
    const unequal = names.filter((name) => rebuilt[name] !== root[name])
    return [...this.impossible, ...unequal.map((name) => `${name} is ${rebuilt[name]}, signed is ${root[name]}`)]
  }

  /** Markets with resting orders. */
  markets(): string[] {
    return [...new Set([...this.#orders.values()].map(({ market }) => market))]
  }

  /** The book of a market's Yes token, best first. */
  book(market: string): { bids: Level[]; asks: Level[] } {
    const [bids, asks] = [new Map<number, number>(), new Map<number, number>()]
    for (const order of this.#orders.values()) {
      if (order.market !== market || order.matched >= order.lots) continue
      const isBid = (order.side === 'BUY') === (order.outcome === 0)
      const price = order.outcome === 0 ? order.price : ONE - order.price
      const levels = isBid ? bids : asks
      levels.set(price, (levels.get(price) ?? 0) + order.lots - order.matched)
    }
    return { bids: sorted(bids, -1), asks: sorted(asks, 1) }
  }
}

/** Source of the public history. */
export interface FactSource {
  listFacts(input: { query: { after: number; limit: number } }): Promise<{ data: Fact[]; seq: number }>
}

const PAGE = 5000

/** Reads the public history in order, up to given positions. */
export class HistoryReader {
  readonly history = new PublicHistory()
  /** Facts read so far. */
  facts = 0
  readonly #source: FactSource
  readonly #pause: (ms: number) => Promise<void>
  #waiting: Fact[] = []
  #read = 0

  /** `pause` waits, in milliseconds, for history that is not written yet. */
  constructor(source: FactSource, pause: (ms: number) => Promise<void>) {
    this.#source = source
    this.#pause = pause
  }

  /** Applies everything up to a position of the log. Does nothing for an earlier position. */
  async advance(to: number, onProgress: (seq: number) => void = () => {}): Promise<void> {
    if (to <= this.history.seq) return
    for (;;) {
      const next = this.#waiting.findIndex(({ seq }) => seq > to)
      for (const fact of this.#waiting.splice(0, next === -1 ? this.#waiting.length : next)) this.history.apply(fact)
      if (this.#read >= to) break
      const { data, seq } = await this.#page()
      if (seq === this.#read) await this.#pause(250)
      this.#read = seq
      this.#waiting = data
      this.facts += data.length
      onProgress(seq)
    }
    this.history.reached(to)
  }

  /** Reads the next page; waits as told when over the rate limit. */
  async #page(): Promise<{ data: Fact[]; seq: number }> {
    for (;;) {
      try {
        return await this.#source.listFacts({ query: { after: this.#read, limit: PAGE } })
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'rate_limited') throw error
        await this.#pause((error.retryAfter ?? 1) * 1000)
      }
    }
  }
}

const bytesOf = (name: AssetName): Uint8Array<ArrayBuffer> => {
  const [market, outcome] = name.split(' ')
  return assetBytes(name === USDC ? null : { condition: market as Hex, outcome: Number(outcome) as 0 | 1 })
}

function leavesOf(holders: ReadonlyMap<string, number>): Uint8Array {
  const leaves = new Uint8Array(holders.size * RECORD_BYTES)
  const order = [...holders].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [index, [holder, amount]] of order.entries()) putRecord(leaves, index, hexBytes(`0x${holder}`), Math.max(amount, 0))
  return leaves
}

const total = (holders: ReadonlyMap<string, number> = new Map()): number => [...holders.values()].reduce((sum, amount) => sum + amount, 0)

const sorted = (levels: ReadonlyMap<number, number>, direction: 1 | -1): Level[] =>
  [...levels].sort(([a], [b]) => direction * (a - b)).map(([price, lots]) => ({ price: formatPrice(price), size: formatLots(lots) }))
