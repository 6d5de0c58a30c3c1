import { RefusedError } from '@augury/client/answer'
import { conditionId, questionId, tokenId } from '@augury/signing/ids'
import { ONE } from '@augury/units/price'
import type { ConditionRequest, RegisteredCondition } from '@augury/wire/condition-request'
import type { RefusalCode } from '@augury/wire/refusals'
import type { Hex } from 'viem'
import type { SettlementExchange } from '../src/resolution/settle.ts'

interface Held {
  yes: number
  no: number
}

/** A condition of the ledger. Sizes in lots, money in millionths. */
export interface LedgerCondition {
  id: string
  endTime: number
  mode: 'open' | 'closed' | 'resolved'
  weight: number | null
  orders: number
  locked: number
  held: Map<string, Held>
  /** Last synchronised state. */
  shown: Record<string, unknown>
}

/**
 * A fake exchange for series and settlement: conditions, shares and money of accounts. It refuses what a real one refuses. `before` is called with
 * the name of every call, and may throw to be unreachable or killed.
 */
export class LedgerExchange {
  readonly conditions = new Map<string, LedgerCondition>()
  readonly cash = new Map<string, number>()
  readonly calls: string[] = []
  readonly #creator: Hex
  before: (call: string) => void = () => {}
  /** How far history is behind, in commands. */
  lag = 0

  constructor(creator: Hex) {
    this.#creator = creator
  }

  readonly register = async (body: ConditionRequest): Promise<RegisteredCondition> => {
    this.#enter('register')
    const question = questionId(this.#creator, body.question_slug)
    const id = conditionId(this.#creator, question)
    if (!this.conditions.has(id)) this.open(id, new Date(body.end_time).getTime())
    this.#leave('register')
    const tokens = ([0, 1] as const).map((index) => ({ token_id: tokenId(id, index), outcome: body.outcomes[index] }))
    return { condition_id: id, question_id: question, neg_risk_market_id: null, tokens }
  }

  /** A condition without shares, as it is when it is registered. */
  open(id: string, endTime = 0, shown: LedgerCondition['shown'] = {}): void {
    this.conditions.set(id, { id, endTime, mode: 'open', weight: null, orders: 0, locked: 0, held: new Map(), shown })
  }

  /** Trades lots between two accounts at a price; false if the market accepts no orders. */
  trade(id: string, buyer: string, seller: string, price: number, lots: number): boolean {
    const condition = this.conditions.get(id)
    if (condition?.mode !== 'open') return false
    this.#pay(buyer, -price * lots)
    this.#pay(seller, -(ONE - price) * lots)
    condition.locked += ONE * lots
    this.#hold(condition, buyer).yes += lots
    this.#hold(condition, seller).no += lots
    return true
  }

  /** All money of accounts and conditions, which never changes. */
  total(): number {
    const locked = [...this.conditions.values()].reduce((sum, condition) => sum + condition.locked, 0)
    return locked + [...this.cash.values()].reduce((sum, cash) => sum + cash, 0)
  }

  readonly client: SettlementExchange = {
    closeCondition: async ({ params: { id } }) => {
      const condition = this.#of(id, 'closeCondition')
      if (condition.mode === 'resolved') throw refused('condition_not_open')
      condition.mode = 'closed'
      return this.#answer('closeCondition')
    },
    resolveCondition: async ({ params: { id }, body: { weights } }) => {
      const condition = this.#of(id, 'resolveCondition')
      if (condition.orders > 0) {
        condition.orders = 0 // a sweep ends them after this row
        throw refused('condition_not_empty')
      }
      const same = condition.mode === 'resolved' && condition.weight === weights[0]
      if (!same && condition.mode !== 'closed') throw refused('condition_not_open')
      condition.mode = 'resolved'
      condition.weight = weights[0]!
      return this.#answer('resolveCondition')
    },
    redeemCondition: async ({ params: { id }, body: { limit } }) => {
      const condition = this.#of(id, 'redeemCondition')
      if (condition.mode !== 'resolved') throw refused('condition_not_resolved')
      let redeemed = 0
      for (const [account, { yes, no }] of [...condition.held].slice(0, Math.min(limit, 2))) {
        const paid = condition.weight! * yes + (ONE - condition.weight!) * no
        this.#pay(account, paid)
        condition.locked -= paid
        condition.held.delete(account)
        redeemed++
      }
      this.#leave('redeemCondition')
      return { redeemed, remaining: condition.held.size > 0 }
    },
    patchCondition: async ({ params: { id }, body }) => {
      this.#of(id, 'patchCondition').shown = { ...body }
      return this.#answer('patchCondition')
    },
    getStatus: async () => {
      this.#enter('getStatus')
      const behind = this.lag
      this.lag = 0
      return { seq: 10, projected_seq: 10 - behind } as Awaited<ReturnType<SettlementExchange['getStatus']>>
    },
    listHolders: async (input) => {
      const id = String(input?.query.market)
      const { held } = this.#of(id, 'listHolders')
      const { limit = 100, offset = 0 } = input!.query as { limit?: number; offset?: number }
      const holders = ([0, 1] as const).map((outcomeIndex) => ({
        token: tokenId(id as Hex, outcomeIndex),
        holders: [...held]
          .flatMap(([account, { yes, no }]) => {
            const lots = outcomeIndex === 0 ? yes : no
            return lots > 0 ? [{ proxyWallet: account, asset: '', amount: lots / 100, outcomeIndex }] : []
          })
          .sort((one, other) => other.amount - one.amount || (one.proxyWallet.toLowerCase() < other.proxyWallet.toLowerCase() ? -1 : 1))
          .slice(offset, offset + limit),
      }))
      return holders as unknown as Awaited<ReturnType<SettlementExchange['listHolders']>>
    },
  }

  #of(id: string, call: string): LedgerCondition {
    this.#enter(call)
    const condition = this.conditions.get(id)
    if (!condition) throw refused('unknown_market')
    return condition
  }

  #enter(call: string): void {
    this.calls.push(call)
    this.before(call)
  }

  /** Called after a command took effect: the response may still be lost. */
  #leave(call: string): void {
    this.before(`${call} answered`)
  }

  #answer<Name extends keyof SettlementExchange>(call: Name): Awaited<ReturnType<SettlementExchange[Name]>> {
    this.#leave(call)
    return {} as Awaited<ReturnType<SettlementExchange[Name]>>
  }

  #hold(condition: LedgerCondition, account: string): Held {
    const held = condition.held.get(account) ?? { yes: 0, no: 0 }
    condition.held.set(account, held)
    return held
  }

  #pay(account: string, amount: number): void {
    this.cash.set(account, (this.cash.get(account) ?? 0) + amount)
  }
}

const refused = (code: RefusalCode) => new RefusedError(409, { error: code, code }, undefined)
