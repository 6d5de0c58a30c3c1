import type { Command, Hex, Outcome } from '@augury/engine/command'
import type { Event } from '@augury/engine/event'
import type { Exchange } from '@augury/engine/exchange'

const ONE = 10_000

/** Thrown when the exchange is in an impossible state. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken'
}

/** `detail` describes the failure: plain data rather than a function, which would be created for every event checked. */
function must(holds: boolean, invariant: string, detail: unknown): void {
  if (!holds) throw new InvariantBroken(`${invariant}: ${JSON.stringify(detail)}`)
}

/** What the checks need beside the exchange itself: the accounts, and the money that came in from outside. */
export class Census {
  readonly accounts = new Set<Hex>()
  readonly conditions = new Set<Hex>()
  readonly events = new Set<Hex>()
  /** Deposits minus settled withdrawals. */
  supply = 0
  /** Cash of all accounts according to the ledger entries alone. */
  cash = 0
  #withdrawals = new Map<Hex, number>()

  /** Records a command and its outcome, and checks the outcome by itself. */
  note(command: Command, events: Event[]): void {
    const refused = events[0]?.type === 'refused'
    if (refused) {
      must(events.length === 1, 'a refusal changes nothing', events)
      return
    }
    switch (command.type) {
      case 'register':
        this.conditions.add(command.condition)
        this.accounts.add(command.creator)
        if (command.event) this.events.add(command.event.id)
        break
      case 'deposit':
        this.accounts.add(command.account)
        this.supply += command.amount
        break
      case 'withdraw':
        this.#withdrawals.set(command.ref, command.amount)
        break
      case 'end_withdrawal':
        if (command.outcome === 'settled') this.supply -= this.#withdrawals.get(command.ref)!
        break
      case 'set_account':
        this.accounts.add(command.account)
        if (command.referrer) this.accounts.add(command.referrer)
    }
    for (const event of events) {
      if (event.type !== 'entry') continue
      this.accounts.add(event.account)
      must(event.balance >= 0, 'I3 no balance is negative', event)
      if (event.asset === null) this.cash += event.delta
    }
  }
}

/**
 * The cheap checks, after every row: fills are fair to both sides and nothing is negative. Counts the fills, and adds the conditions whose
 * levels changed to `changed`.
 */
export function checkOutcome(events: Event[], changed: Set<Hex>): number {
  let fills = 0
  for (const event of events) {
    if (event.type === 'fill') {
      fills++
      checkFill(event)
    } else if (event.type === 'level') {
      must(event.lots >= 0, 'I3 no level is negative', event)
      changed.add(event.condition)
    } else if (event.type === 'ended') {
      const { lots, matched, remaining, state } = event.order
      const whole = state === 'filled' ? matched === lots && remaining === 0 : matched <= lots
      must(whole, 'I6 an order never trades more than its size', event.order)
    }
  }
  return fills
}

function checkFill(fill: Extract<Event, { type: 'fill' }>): void {
  const { taker, maker, lots, kind } = fill
  const price = taker.outcome === maker.outcome ? maker.price : ONE - maker.price
  const fair = taker.side === 'BUY' ? price <= taker.price : price >= taker.price
  must(fair && lots > 0 && maker.remaining >= 0, 'I6 no fill is worse than a limit', fill)
  const expected = taker.outcome === maker.outcome ? 'direct' : taker.side === 'BUY' ? 'mint' : 'merge'
  const opposite = (taker.side !== maker.side) === (taker.outcome === maker.outcome)
  must(kind === expected && opposite, 'I11 mint, merge and transfer', fill)
}

/** Checks that the books whose levels a row changed are not crossed. */
export function checkBooks(exchange: Exchange, changed: Iterable<Hex>): void {
  for (const condition of changed) {
    const { bids, asks } = exchange.depth(condition, 0, 1)
    const crossed = bids[0] !== undefined && asks[0] !== undefined && bids[0][0] >= asks[0][0]
    must(!crossed, 'I4 a book is never crossed', { condition, bids, asks })
  }
}

/** The thorough checks: every account, condition and event against every sum that must hold (decisions 2.8). */
export function checkState(exchange: Exchange, census: Census): void {
  let money = 0
  let entries = 0
  const issued = new Map<Hex, [number, number]>()
  for (const account of census.accounts) {
    const { free, held, withdrawing } = exchange.balance(account)
    must(free >= 0 && held >= 0 && withdrawing >= 0, 'I3 no balance is negative', { account, free, held, withdrawing })
    money += free + held + withdrawing
    entries += free + held
    const needed = neededFor(exchange, account)
    must(needed.cash === held, 'I5 holds are the sum of open orders', { account, held, needed: needed.cash })
    for (const holding of exchange.holdings(account)) {
      must(holding.free >= 0 && holding.held >= 0, 'I3 no holding is negative', { account, holding })
      const token = tokenOf(holding)
      const lots = needed.lots.get(token) ?? 0
      must(lots === holding.held, 'I5 holds are the sum of open orders', { account, holding, needed: lots })
      needed.lots.delete(token)
      const pair = issued.get(holding.condition) ?? [0, 0]
      pair[holding.outcome] += holding.free + holding.held
      issued.set(holding.condition, pair)
    }
    must(needed.lots.size === 0, 'I5 holds are the sum of open orders', { account, needed: [...needed.lots] })
  }
  must(entries === census.cash, 'I10 entries add up to balances', { byEntries: census.cash, byBalances: entries })
  for (const id of census.conditions) money += checkCondition(exchange, id, issued.get(id) ?? [0, 0])
  for (const id of census.events) money += eventCash(exchange, id)
  must(money === census.supply, 'I1 conservation', { inside: money, cameIn: census.supply })
}

const tokenOf = ({ condition, outcome }: { condition: Hex; outcome: Outcome }): string => `${condition} ${outcome}`

/** I5: what the open orders of an account must hold, in cash and in lots of every token. */
function neededFor(exchange: Exchange, account: Hex): { cash: number; lots: Map<string, number> } {
  const needed = { cash: 0, lots: new Map<string, number>() }
  for (const order of exchange.openOrders(account)) {
    const { lots, matched, remaining, side, price } = order
    must(remaining > 0 && matched + remaining === lots, 'I6 bounds of an order', order)
    if (side === 'BUY') needed.cash += price * remaining
    else needed.lots.set(tokenOf(order), (needed.lots.get(tokenOf(order)) ?? 0) + remaining)
  }
  return needed
}

/** I2, I4, I12: compares shares in circulation with the collateral locked for them. Returns the collateral. */
function checkCondition(exchange: Exchange, id: Hex, [yes, no]: [number, number]): number {
  const condition = exchange.condition(id)
  if (!condition) throw new InvariantBroken(`a registered condition is gone: ${id}`)
  const converted = condition.event ? (exchange.event(condition.event)?.converted ?? 0) : 0
  const told = { id, yes, no, converted, condition }
  if (condition.mode === 'resolved') {
    must(
      yes * condition.weight! + no * (ONE - condition.weight!) === condition.locked,
      'I12 a resolved condition owes what is locked',
      told,
    )
  } else {
    must(yes === no + converted && condition.locked === ONE * no, 'I2 complete sets', told)
  }
  const yesBook = exchange.depth(id, 0, ONE)
  const noBook = exchange.depth(id, 1, ONE)
  const mirror = (side: [number, number][]) => side.map(([price, lots]) => [ONE - price, lots])
  const mirrored = JSON.stringify([mirror(noBook.asks), mirror(noBook.bids)]) === JSON.stringify([yesBook.bids, yesBook.asks])
  must(mirrored, 'I4 the book of No is the mirror of Yes', { yesBook, noBook })
  const [bid, ask] = [yesBook.bids[0], yesBook.asks[0]]
  must(!(bid && ask && bid[0] >= ask[0]), 'I4 a book is never crossed', { id, bid, ask })
  must(condition.mode !== 'resolved' || (!bid && !ask), 'I12 a resolved condition has no orders', told)
  return condition.locked
}

/** Millionths that an event keeps for conversions: the total, minus what went to its resolved conditions. */
function eventCash(exchange: Exchange, id: Hex): number {
  const event = exchange.event(id)
  if (!event) return 0
  const moved = event.members.reduce((sum, member) => sum + (exchange.condition(member)?.weight ?? 0), 0)
  const cash = event.converted * (ONE - moved)
  must(cash >= 0, 'I3 the cash of an event is not negative', { id, cash })
  return cash
}
