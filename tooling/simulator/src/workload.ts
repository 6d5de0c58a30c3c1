import type { Command, Hex, OrderType, Outcome, Place, SelfTrade } from '@augury/engine/command'
import { hexOf } from '@augury/engine/hex'
import { type Prng, prng } from '@augury/testing/prng'
import { encodeAnnex } from '@augury/venue/base/annex'
import { actions } from './actions.ts'
import { hostile } from './hostile.ts'
import { drawPrice } from './prices.ts'
import { drawSwarm, type Lottery, logarithmic, lottery, type Swarm } from './swarm.ts'

/** A condition as the workload knows it, without asking the exchange. */
export interface KnownCondition {
  id: Hex
  grid: number
  event: Hex | null
  mode: 'open' | 'closed' | 'resolved'
  trend: number
}

const REMEMBERED = 512

/** Generates the commands of one run from its seed. It knows what it sent, never the results. */
export class Workload {
  readonly random: Prng
  readonly swarm: Swarm
  readonly accounts: Hex[]
  readonly conditions: KnownCondition[] = []
  readonly events = new Map<Hex, Hex[]>()
  /** The latest placements that may still be open. */
  readonly placed: Place[] = []
  readonly withdrawals: Hex[] = []
  /** Id of the last signed request. */
  lastRequest: Hex | null = null
  /** Accounts that received shares at the start, and of what. */
  readonly stock: { account: Hex; condition: KnownCondition }[] = []
  /** An event that waits for more of its conditions. */
  #growing: { event: { id: Hex; size: number }; missing: number } | null = null
  /** Commands until the venue returns to normal mode, while it is in another. */
  #abnormal = 0
  #setup: Command[] = []
  #history: Command[] = []
  #counter = 0
  readonly #salt: [number, number]
  readonly #id = new Uint32Array(8)
  readonly #kind: Lottery<keyof Swarm['mix']>
  readonly #orderType: Lottery<OrderType>
  readonly #selfTrade: Lottery<SelfTrade>

  constructor(seed: number, swarm?: Partial<Swarm>) {
    this.random = prng(seed)
    this.swarm = { ...drawSwarm(this.random), ...swarm }
    this.#salt = [this.word(), this.word()]
    this.accounts = Array.from({ length: this.swarm.accounts }, () => this.id(40))
    this.#kind = lottery(this.swarm.mix)
    this.#orderType = lottery(this.swarm.orderTypes)
    this.#selfTrade = lottery(this.swarm.selfTrade)
    this.prepare()
  }

  /** The next command, for a row at `at`. */
  next(at: number): Command {
    const prepared = this.#setup.pop()
    if (prepared) return prepared
    const { random, swarm } = this
    if (this.#abnormal > 0 && --this.#abnormal === 0) return { type: 'set_mode', mode: 'normal' }
    const draw = random.unit()
    if (this.#history.length > 0) {
      if (draw < swarm.duplicates) return this.#history[this.#history.length - 1]!
      if (draw < swarm.duplicates + swarm.retries) return random.pick(this.#history)
    }
    let command = this.fresh(at)
    if (command.type === 'set_mode') this.#abnormal = 50
    if (random.chance(swarm.hostile)) command = hostile(this, command)
    if (this.#history.length < REMEMBERED) this.#history.push(command)
    else this.#history[random.integer(0, REMEMBERED - 1)] = command
    return command
  }

  /** A new id of so many hexadecimal digits. */
  id(digits: 40 | 64): Hex {
    const { ids } = this.swarm
    const words = this.#id
    const last = digits / 8 - 1
    const salt = ids === 'low' ? last - 2 : ids === 'high' ? 1 : 2
    words.fill(0)
    if (ids === 'random') {
      words[0] = this.word()
      words[1] = this.word()
    }
    words[salt] = this.#salt[0]
    words[salt + 1] = this.#salt[1]
    words[ids === 'high' ? 0 : last] = ++this.#counter
    return hexOf(words, 0, last + 1)
  }

  /** A new id of a signed request. */
  request(): Hex {
    this.lastRequest = this.id(64)
    return this.lastRequest
  }

  account(): Hex {
    const { random, accounts } = this
    return accounts[Math.min(random.integer(0, accounts.length - 1), random.integer(0, accounts.length - 1))]!
  }

  /** Any condition, mostly an open one. */
  condition(): KnownCondition {
    const { random, conditions } = this
    for (let attempt = 0; attempt < 4; attempt++) {
      const condition = random.pick(conditions)
      if (condition.mode === 'open') return condition
    }
    return random.pick(conditions)
  }

  lots(): number {
    return this.random.chance(0.1)
      ? this.random.integer(1, this.swarm.lots)
      : logarithmic(this.random, this.swarm.minLots, this.swarm.minLots + this.swarm.lots)
  }

  /** A placement for a random account, or a given one. */
  place(at: number, whose?: Hex): Place {
    const { random, swarm } = this
    const outcome = random.integer(0, 1) as Outcome
    const side = random.chance(0.5) ? 'BUY' : 'SELL'
    const stocked = side === 'SELL' && whose === undefined && random.chance(0.85) ? random.pick(this.stock) : null
    const condition = stocked?.condition ?? this.condition()
    const account = whose ?? stocked?.account ?? this.account()
    const orderType = this.#orderType(random)
    const atOnce = orderType === 'FOK' || orderType === 'FAK'
    const byBudget = atOnce && side === 'BUY' && random.chance(swarm.budget)
    const price = drawPrice(random, swarm.prices, condition, outcome, side)
    const lots = this.lots()
    return {
      type: 'place',
      orderId: this.id(64),
      account,
      condition: condition.id,
      outcome,
      side,
      orderType,
      price,
      lots: byBudget ? 0 : lots,
      budget: byBudget ? Math.max(10_000, lots * price + random.integer(0, 9_999)) : 0,
      expiration: orderType === 'GTD' ? Math.floor(at / 1000) + random.integer(1, swarm.life) : 0,
      postOnly: !atOnce && random.chance(swarm.postOnly),
      selfTrade: this.#selfTrade(random),
      deployment: random.chance(0.5) ? this.accounts[this.accounts.length - 1]! : null,
      annex: random.chance(swarm.annexes) ? this.annex() : NO_ANNEX,
    }
  }

  /** A placement that may still be open. With `forget` it is removed, because its order is about to end. */
  known(forget: boolean): Place | null {
    if (this.placed.length === 0) return null
    const index = this.random.integer(0, this.placed.length - 1)
    const place = this.placed[index]!
    if (forget) {
      this.placed[index] = this.placed[this.placed.length - 1]!
      this.placed.pop()
    }
    return place
  }

  /** Registers one condition, in an event when one is given. */
  open(event: { id: Hex; size: number } | null): Command {
    const { random, swarm } = this
    const id = this.id(64)
    const grid = random.pick(swarm.grids)
    this.conditions.push({ id, grid, event: event?.id ?? null, mode: 'open', trend: 5000 })
    if (event) this.events.set(event.id, [...(this.events.get(event.id) ?? []), id])
    const { minLots, minNotional, feeBps, rebateBps, affiliateBps } = swarm
    return {
      type: 'register',
      condition: id,
      creator: this.accounts[0]!,
      grid,
      minLots,
      minNotional,
      feeBps,
      rebateBps,
      affiliateBps,
      event,
    }
  }

  /** Registers one more condition: by itself, or as the next of an event, of which it may be the only one. */
  openAnother(): Command {
    if (this.#growing === null && this.random.chance(0.5)) return this.open(null)
    const size = this.random.integer(1, 3)
    this.#growing ??= { event: { id: this.id(64), size }, missing: size }
    const { event } = this.#growing
    if (--this.#growing.missing === 0) this.#growing = null
    return this.open(event)
  }

  /** What the venue keeps with an order, of any length that it may have. */
  private annex(): Uint8Array {
    const { random } = this
    const owner = this.id(40).slice(2, 34)
    const clientOrderId = random.chance(0.7) ? 'n'.repeat(random.integer(1, 64)) : null
    return encodeAnnex({ owner, maker: random.chance(0.3) ? this.account() : null, clientOrderId, content: null })
  }

  private word(): number {
    return Math.floor(this.random.unit() * 2 ** 32)
  }

  private prepare(): void {
    const { random, swarm } = this
    const setup: Command[] = []
    while (this.conditions.length < swarm.conditions) {
      const size = random.chance(swarm.negRisk) ? Math.min(random.integer(2, 8), Math.max(2, swarm.conditions)) : 0
      const event = size > 0 ? { id: this.id(64), size } : null
      for (let member = 0; member < Math.max(1, size); member++) setup.push(this.open(event))
    }
    this.accounts.forEach((account, i) => {
      if (i > 0 && random.chance(0.1)) return // some begin with nothing
      setup.push({ type: 'deposit', account, amount: random.integer(1, 2 * swarm.wealth), ref: this.id(64) })
      const stpGroup = swarm.stpGroups > 0 && random.chance(0.5) ? random.integer(1, swarm.stpGroups) : null
      const referrer = i > 0 && random.chance(0.3) ? this.accounts[i - 1]! : null
      if (stpGroup !== null || referrer !== null) setup.push({ type: 'set_account', account, referrer, tier: null, stpGroup, banned: null })
      const turns = Math.min(this.conditions.length, 8)
      for (let turn = 0; turn < turns; turn++) {
        const lots = Math.max(1, Math.floor((random.unit() * swarm.wealth) / (20_000 * turns)))
        const condition = this.condition()
        this.stock.push({ account, condition })
        setup.push({ type: 'split', account, condition: condition.id, lots, request: this.id(64) })
      }
    })
    this.#setup = setup.reverse()
  }

  private fresh(at: number): Command {
    const { random } = this
    const kind = this.#kind(random)
    if (kind !== 'place') {
      const command = actions[kind](this, at)
      if (command) return command
    }
    return this.remember(this.place(at))
  }

  /** Remembers a placement whose order may rest. */
  remember(place: Place): Place {
    if (place.orderType === 'GTC' || place.orderType === 'GTD') {
      if (this.placed.length < 4096) this.placed.push(place)
      else this.placed[this.random.integer(0, 4095)] = place
    }
    return place
  }
}

const NO_ANNEX = new Uint8Array(0)
