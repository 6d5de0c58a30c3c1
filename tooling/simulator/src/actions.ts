import type { Command, Outcome } from '@augury/engine/command'
import { logarithmic, type Swarm } from './swarm.ts'
import type { Workload } from './workload.ts'

/** Builds a command of each kind except a plain placement; null when there is nothing to apply it to. */
export const actions: Record<Exclude<keyof Swarm['mix'], 'place'>, (work: Workload, at: number) => Command | null> = {
  cancel(work) {
    const place = work.known(true)
    return place && { type: place.lots % 2 ? 'cancel' : 'cancel_in_batch', account: place.account, orderId: place.orderId }
  },
  reduce(work) {
    const place = work.known(false)
    return place && { type: 'reduce', account: place.account, orderId: place.orderId, lots: work.random.integer(1, place.lots) }
  },
  replace(work, at) {
    const old = work.known(true)
    if (!old) return null
    const fresh = work.place(at, old.account)
    const place = work.random.chance(0.7) ? { ...fresh, condition: old.condition, outcome: old.outcome, side: old.side } : fresh
    const sized = place.side === 'SELL' && place.budget > 0 ? { ...place, lots: work.lots(), budget: 0 } : place
    const matched = work.random.chance(0.5) ? 0 : logarithmic(work.random, 1, Math.max(1, old.lots))
    const onlyIf = work.random.pick(['any', 'any', 'unfilled', 'partially_filled', { matched }] as const)
    return { type: 'replace', cancel: old.orderId, requireCancel: work.random.chance(0.7), onlyIf, place: work.remember(sized) }
  },
  cancelAll(work) {
    const condition = work.random.chance(0.5) ? work.condition().id : null
    const outcome = condition && work.random.chance(0.5) ? (work.random.integer(0, 1) as Outcome) : null
    return { type: 'cancel_all', account: work.account(), condition, outcome, reason: condition ? 'market_cancel' : 'cancel_all' }
  },
  cash(work) {
    const { random } = work
    const account = work.account()
    // Sometimes with the reference of a withdrawal that may still be in progress.
    const ref = work.withdrawals.length > 0 && random.chance(0.1) ? random.pick(work.withdrawals) : work.id(64)
    if (random.chance(0.4)) return { type: 'deposit', account, amount: random.integer(1, work.swarm.wealth), ref }
    const pending = random.chance(0.5) ? work.withdrawals.pop() : undefined
    if (pending) return { type: 'end_withdrawal', ref: pending, outcome: random.pick(['settled', 'returned'] as const) }
    work.withdrawals.push(ref)
    return { type: 'withdraw', account, amount: random.integer(1, work.swarm.wealth), ref }
  },
  position(work): Command {
    const { random } = work
    const condition = work.condition()
    const account = work.account()
    const lots = work.lots()
    const former = work.lastRequest
    const request = former !== null && random.chance(work.swarm.hostile) ? former : work.request()
    const members = condition.event ? (work.events.get(condition.event) ?? []) : []
    if (condition.mode === 'resolved') {
      if (random.chance(0.5)) return { type: 'redeem', account, condition: condition.id, request }
      return { type: 'redeem_all', condition: condition.id, limit: random.pick([1, 3, 1000]) }
    }
    if (condition.event && random.chance(0.5)) {
      const some = members.filter(() => random.chance(0.4))
      const conditions = some.length > 0 ? some : [condition.id]
      return { type: 'convert', account, event: condition.event, conditions, lots: logarithmic(random, 1, lots), request }
    }
    const type = random.pick(['split', 'split', 'merge'] as const)
    return { type, account, condition: condition.id, lots, request }
  },
  admin(work) {
    const { random } = work
    const condition = work.condition()
    const account = work.account()
    const draw = random.integer(0, 9)
    if (draw === 0 && random.chance(0.1)) return { type: 'upgrade', rules: random.pick([2, 3, 4]) }
    if (draw === 0) return { type: 'set_mode', mode: random.pick(['post_only', 'cancel_only', 'paused'] as const) }
    if (draw < 4) {
      const referrer = random.chance(0.5) ? work.account() : null
      const stpGroup = random.chance(0.1) ? random.integer(0, work.swarm.stpGroups) : null
      return { type: 'set_account', account, referrer, tier: random.pick([null, null, 0, 3, 4]), stpGroup, banned: random.chance(0.2) }
    }
    if (draw < 6) {
      const grid = random.pick([1000, 100, 50, 25, 10, 1])
      if (condition.grid % grid === 0) condition.grid = grid
      return { type: 'set_condition', condition: condition.id, mode: null, grid, feeBps: null }
    }
    if (draw < 8) return { type: 'set_condition', condition: condition.id, mode: null, grid: null, feeBps: random.pick([0, 50, 700]) }
    const mode = condition.mode === 'open' ? random.pick(['open', 'open', 'open', 'paused', 'cancel_only'] as const) : null
    return { type: 'set_condition', condition: condition.id, mode, grid: null, feeBps: null }
  },
  lifecycle(work) {
    const { random } = work
    const open = work.conditions.filter((condition) => condition.mode === 'open').length
    if (open < work.swarm.conditions / 2 + 1) return work.openAnother()
    const condition = random.pick(work.conditions)
    if (condition.mode === 'open' && random.chance(0.8)) {
      condition.mode = 'closed'
      return { type: 'set_condition', condition: condition.id, mode: 'closed', grid: null, feeBps: null }
    }
    if (condition.mode !== 'resolved') {
      if (condition.mode === 'closed') condition.mode = 'resolved'
      const weight = condition.event ? random.pick([0, 0, 0, 5000, 10_000]) : random.pick([0, 10_000, 5000, random.integer(0, 10_000)])
      return { type: 'resolve', condition: condition.id, weight }
    }
    return { type: 'redeem_all', condition: condition.id, limit: random.pick([1, 3, 1000]) }
  },
  deadMan(work, at) {
    const { random, swarm } = work
    const some = at + random.integer(1, 5 * swarm.step + 1000)
    const deadline = random.chance(0.3) ? 0 : random.chance(0.5) ? some : Math.ceil(some / 10_000) * 10_000 // several expire at the same time
    return { type: 'dead_man', account: work.account(), deadline, reason: random.pick(['heartbeat', 'disconnect'] as const) }
  },
}
