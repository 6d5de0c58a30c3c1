import type { Ground } from './hunt.ts'

/** A mistake put into the source on purpose. The simulator has to find it, or it is blind there. */
export interface Mutant {
  name: string
  /** Path inside `packages/`. */
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  ground: Ground
}

/** A mistake per rule that money, priority or truth depends on: those of the design, and what its neighbours are. */
export const mutants: Mutant[] = [
  // Priority and prices
  { name: 'LIFO inside a level', file: 'engine/src/ladder.ts', ground: 'rules',
    find: `    const last = this.tail[level]!
    orders.setPrev(slot, last)
    orders.setNext(slot, 0)
    this.tail[level] = slot
    this.lots[level]! += orders.remaining(slot)
    this.orders++
    if (last !== 0) {
      orders.setNext(last, slot)
      return
    }
    this.head[level] = slot`,
    replace: `    const first = this.head[level]!
    orders.setNext(slot, first)
    orders.setPrev(slot, 0)
    this.head[level] = slot
    this.lots[level]! += orders.remaining(slot)
    this.orders++
    if (first !== 0) {
      orders.setPrev(first, slot)
      return
    }
    this.tail[level] = slot` },
  { name: 'taker price instead of maker price', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'const price = makerOutcome === outcome ? makerPrice : ONE - makerPrice', replace: 'const price = order.price' },
  { name: 'price of No not mirrored', file: 'engine/src/order-store.ts', ground: 'rules',
    find: 'return this.outcome(slot) === 0 ? this.price(slot) : ONE - this.price(slot)', replace: 'return this.price(slot)' },
  { name: 'worst level first', file: 'engine/src/match.ts', ground: 'rules',
    find: 'let level = buysBook ? ladder.bestAsk : ladder.bestBid', replace: 'let level = Math.floor(limit / grid)\n    if (ladder.head[level] === 0) level = buysBook ? ladder.bestAsk : ladder.bestBid' },
  { name: 'a limit one tick too generous', file: 'engine/src/match.ts', ground: 'rules',
    find: 'if (buysBook ? k > limit : k < limit) return', replace: 'if (buysBook ? k > limit + grid : k < limit) return' },
  { name: 'off the grid allowed', file: 'engine/src/plan.ts', ground: 'rules',
    find: "if (order.price % grid !== 0) return 'invalid_price_tick'", replace: '' },
  { name: 'a grid may get coarser', file: 'engine/src/registry.ts', ground: 'rules',
    find: '(!isGrid(grid) || conditions.grid[row]! % grid !== 0)', replace: '!isGrid(grid)' },

  // Holds and funds
  { name: 'the whole lock released instead of what remains', file: 'engine/src/endings.ts', ground: 'rules',
    find: 'const remaining = orders.remaining(slot)', replace: 'const remaining = orders.lots(slot)' },
  { name: 'hold with fee', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'ledger.hold(account, order.price * order.rest)', replace: 'ledger.hold(account, order.price * order.rest + Math.floor((order.price * order.rest * conditions.feeBps[condition]!) / 1e6))' },
  { name: 'the fee is not asked for', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'order.required = match.cost + match.totalFee + order.price * rest', replace: 'order.required = match.cost + order.price * rest' },
  { name: 'a replaced hold is not counted', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'order.available = accounts.cash[account]! + freed', replace: 'order.available = accounts.cash[account]!' },
  { name: 'held shares are sold again', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'order.available = holdings.lots[at]! + freed', replace: 'order.available = holdings.lots[at]! + holdings.held[at]!' },
  { name: 'less of an order gives nothing back', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'if (orders.side(slot) === Order.BUY) ledger.hold(orders.account(slot), -orders.price(slot) * lots)', replace: 'if (orders.side(slot) === Order.BUY) return' },
  { name: 'withdrawal of what is held', file: 'engine/src/money.ts', ground: 'rules',
    find: 'if (accounts.cash[owner]! < amount) return', replace: 'if (accounts.cash[owner]! + accounts.held[owner]! < amount) return' },
  { name: 'a deposit counts twice', file: 'engine/src/money.ts', ground: 'rules',
    find: "  if (isKnown(state, refWords)) return 'duplicate_ref'\n  if (state.supply", replace: '  if (state.supply' },
  { name: 'supply without limit', file: 'engine/src/money.ts', ground: 'rules',
    find: "if (state.supply + amount > MAX_SUPPLY) return 'supply_exceeded'", replace: '' },
  { name: 'the reference of a withdrawal under way counts again', file: 'engine/src/money.ts', ground: 'rules',
    find: 'refs.has(ref, 0, at) || withdrawals.ids.find(ref, 0) !== 0', replace: 'refs.has(ref, 0, at)' },

  // Fees
  { name: 'the fee is not booked', file: 'engine/src/execute.ts', ground: 'rules',
    find: "ledger.cash(feeAccount, fees.remainder, 'fee')", replace: '' },
  { name: 'the fee is rounded per fill', file: 'engine/src/match.ts', ground: 'rules',
    find: 'this.#carry = exact - fee * FEE_UNIT', replace: 'this.#carry = HALF' },
  { name: 'the fee is rounded down', file: 'engine/src/match.ts', ground: 'rules',
    find: 'this.#carry = HALF', replace: 'this.#carry = 0' },
  { name: 'the rebate goes by lots alone', file: 'engine/src/fees.ts', ground: 'rules',
    find: 'const weight = match.lots[step]! * (k * (ONE - k))', replace: 'const weight = match.lots[step]!' },
  { name: 'a rebate is booked as a fee', file: 'engine/src/execute.ts', ground: 'rules',
    find: "fees.rebate[i]!, 'rebate')", replace: "fees.rebate[i]!, 'fee')" },
  { name: 'the creator gets the fee of a deployment', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'order.deploymentAt === 0 ?', replace: 'order.deploymentAt >= 0 ?' },
  { name: 'the last referrer counts', file: 'engine/src/registry.ts', ground: 'rules',
    find: 'if (by !== row && accounts.referrer[row] === 0) accounts', replace: 'if (by !== row) accounts' },

  // Mint, merge, positions
  { name: 'mint without collateral', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'ledger.lock(condition, ONE * minted)', replace: '' },
  { name: 'mint with collateral from nowhere', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'ledger.lock(condition, ONE * minted)', replace: 'ledger.lock(condition, ONE * minted)\n    ledger.external(ONE * minted)' },
  { name: 'convert issues Yes to a resolved condition', file: 'engine/src/tokens.ts', ground: 'rules',
    find: '!members.includes(row) && conditions.mode[row] !== RESOLVED', replace: '!members.includes(row)' },
  { name: 'convert pays for every No', file: 'engine/src/tokens.ts', ground: 'rules',
    find: "if (members.length > 1) ledger.cash(owner, (members.length - 1) * lots * ONE, 'convert')", replace: "ledger.cash(owner, members.length * lots * ONE, 'convert')" },
  { name: 'a tie inside an event', file: 'engine/src/registry.ts', ground: 'rules',
    find: "if (sum > ONE || (isLast && sum !== ONE)) return 'invalid_weight'", replace: '' },
  { name: 'what was converted stays in the event', file: 'engine/src/registry.ts', ground: 'rules',
    find: '      ledger.lockEvent(event, -moved)\n      ledger.lock(row, moved)', replace: '' },
  { name: 'resolved over open orders', file: 'engine/src/registry.ts', ground: 'rules',
    find: "if (conditions.resting(row) > 0) return 'condition_not_empty'", replace: '' },
  { name: 'a No redeems like a Yes', file: 'engine/src/tokens.ts', ground: 'rules',
    find: 'ONE - conditions.weight[row]!]', replace: 'conditions.weight[row]!]' },
  { name: 'a signed request again', file: 'engine/src/tokens.ts', ground: 'rules',
    find: 'if (state.requests.has(words, 0, state.at))', replace: 'if (false as boolean)' },

  // Lifecycle
  { name: 'cancel of an order that ended', file: 'engine/src/orders.ts', ground: 'rules',
    find: "return orders.isOpen(slot) && !orders.isDue(slot, at) ? null : 'order_ended'", replace: 'return null' },
  { name: 'cancel of an order that expired', file: 'engine/src/orders.ts', ground: 'rules',
    find: "return orders.isOpen(slot) && !orders.isDue(slot, at) ? null : 'order_ended'", replace: "return orders.isOpen(slot) ? null : 'order_ended'" },
  { name: "cancel of another account’s order", file: 'engine/src/orders.ts', ground: 'rules',
    find: "if (orders.account(slot) !== account) return 'order_not_owned'", replace: '' },
  { name: 'a known id is placed again', file: 'engine/src/state.ts', ground: 'rules',
    find: 'return slot !== 0 && this.isRemembered(slot) ? slot : 0', replace: 'return slot !== 0 && this.orders.isOpen(slot) ? slot : 0' },
  { name: 'a field is forgotten where an order comes again', file: 'engine/src/orders.ts', ground: 'rules',
    find: 'orders.postOnly(slot) === order.postOnly &&', replace: '' },
  { name: 'a field of orders by budget is forgotten where one comes again', file: 'engine/src/orders.ts', ground: 'rules',
    find: ' &&\n    orders.budget(slot) === order.budget', replace: '' },
  { name: 'expiry by the wall clock', file: 'engine/src/order-store.ts', ground: 'rules',
    find: 'this.expiration(slot) * 1000 <= now', replace: 'this.expiration(slot) * 1000 <= Date.now()' },
  { name: 'an order lives a moment too long', file: 'engine/src/order-store.ts', ground: 'rules',
    find: 'this.expiration(slot) * 1000 <= now', replace: 'this.expiration(slot) * 1000 < now' },
  { name: 'a switch fires a moment late', file: 'engine/src/endings.ts', ground: 'rules',
    find: 'deadlines.time[1]! <= state.at', replace: 'deadlines.time[1]! < state.at' },
  { name: 'recent orders evicted by the wall clock', file: 'engine/src/state.ts', ground: 'rules',
    find: 'this.orders.endedAt(slot) + RECENT_MS > this.at', replace: 'this.orders.endedAt(slot) + RECENT_MS > Date.now()' },
  { name: 'an expired order trades', file: 'engine/src/match.ts', ground: 'rules',
    find: 'if (orders.isDue(slot, now)) {', replace: 'if (false as boolean) {' },
  { name: 'expiry not in the order of time', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'state.expiries.push(order.expiration, state.seq, slot)', replace: 'state.expiries.push(order.expiration - ((order.expiration * 7) % 5), -state.seq, slot)' },
  { name: 'a dead-man switch without effect', file: 'engine/src/endings.ts', ground: 'rules',
    find: 'left -= cancelOrders(state, listener, account, 0, -1, accounts.deadReason[account]!, left)\n    if (accounts.firstOrder[account] !== 0) continue', replace: '' },
  { name: 'a sweep lets go of any number of switches', file: 'engine/src/endings.ts', ground: 'rules',
    find: '    deadlines.remove(account)\n    left -= cost', replace: '    deadlines.remove(account)' },
  { name: 'a sweep lets go of any number of books', file: 'engine/src/endings.ts', ground: 'rules',
    find: '    conditions.ladders[condition] = undefined\n    left -= cost', replace: '    conditions.ladders[condition] = undefined' },
  { name: 'switches fire in any order', file: 'engine/src/registry.ts', ground: 'rules',
    find: 'state.rules > 2 ? state.seq : row, row)', replace: 'row, row)' },
  { name: 'trade in a paused market', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'if (conditionMode !== OPEN)\n', replace: 'if (conditionMode > CANCEL_ONLY)\n' },
  { name: 'a banned account trades', file: 'engine/src/plan.ts', ground: 'rules',
    find: "if (accounts.banned[account] !== 0) return 'account_banned'", replace: '' },
  { name: 'more of an order keeps its place', file: 'engine/src/orders.ts', ground: 'rules',
    find: "if (lots >= size) return 'not_smaller'", replace: '' },
  { name: 'the replaced order stays', file: 'engine/src/execute.ts', ground: 'rules',
    find: 'if (order.replaced !== 0) endOrder(state, order.replaced, Order.CANCELLED, AMEND_REPLACED)', replace: '' },
  { name: 'an order filled on the way is replaced', file: 'engine/src/orders.ts', ground: 'rules',
    find: 'orders.lots(slot) - orders.remaining(slot) === matched ? null', replace: 'matched >= 0 ? null' },
  { name: 'a fill-or-kill fills in part', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'isComplete ? FILLED : NOT_FILLED', replace: 'match.matched > 0 ? FILLED : NOT_FILLED' },
  { name: 'post-only looks at nothing', file: 'engine/src/plan.ts', ground: 'rules',
    find: 'if (order.postOnly && match.crosses) return WOULD_CROSS', replace: '' },

  // Self-trade
  { name: 'self-trade', file: 'engine/src/match.ts', ground: 'rules',
    find: 'taker.selfTrade !== NONE && (owner === taker.account ||', replace: 'taker.selfTrade !== NONE && (' },
  { name: 'groups trade with themselves', file: 'engine/src/match.ts', ground: 'rules',
    find: '(group !== 0 && groups[owner] === group)', replace: 'false' },
  { name: 'a decrement forgets the taker', file: 'engine/src/match.ts', ground: 'rules',
    find: 'this.decremented += lots\n      return lots', replace: 'return 0' },

  // What is kept with orders, and refused unwritten
  { name: 'the annex of an order lies over that of another', file: 'engine/src/order-extras.ts', ground: 'rules',
    find: 'this.release(run, lengthOf(this.words[run]!))', replace: 'this.release(run, lengthOf(this.words[run]!) + 8)' },
  { name: 'who has nothing is refused for no reason', file: 'engine/src/orders.ts', ground: 'rules',
    find: "(isBuy ? 'insufficient_balance' : 'insufficient_shares')", replace: "'invalid_amount'" },

  // Snapshots
  { name: 'a snapshot forgets what was remembered', file: 'engine/src/snapshot.ts', ground: 'rules',
    find: 'conditions, events, requests, refs, withdrawals, expiries, deadlines, digest]', replace: 'conditions, events, requests, refs, withdrawals, expiries, digest]' },

  // Journal, sequencer, recovery
  { name: 'answer before commit', file: 'venue/src/record/log/sequencer.ts', ground: 'disasters',
    find: '        applicable = (await sent) ? pending : null', replace: '        this.#apply(pending)\n        await sent' },
  { name: 'checksum not looked at', file: 'venue/src/record/log/replica.ts', ground: 'damage',
    find: 'if (seal(this.#stream, row).checksum !== row.checksum)', replace: 'if (false as boolean)' },
  { name: 'chain not looked at', file: 'venue/src/record/log/replica.ts', ground: 'damage',
    find: 'if (row.previousChecksum !== checksum)', replace: 'if (false as boolean)' },
  { name: 'snapshot without its place', file: 'venue/src/record/log/snapshots.ts', ground: 'crashes',
    find: '{ seq, at, checksum })', replace: '{ seq: 0, at, checksum })' },
  { name: 'snapshot of another history', file: 'venue/src/record/log/snapshots.ts', ground: 'damage',
    find: '(await journal.checksumAt(snapshot.seq)) === snapshot.checksum', replace: '(await journal.checksumAt(snapshot.seq)) !== undefined' },
  { name: 'replay begins one too late', file: 'venue/src/record/log/recovery.ts', ground: 'crashes',
    find: 'journal.read(replica.head.seq)', replace: 'journal.read(replica.head.seq + 1)' },
  { name: 'an unknown commit is sent again unseen', file: 'venue/src/record/log/sequencer.ts', ground: 'disasters',
    find: 'if (head.checksum === pending.row.checksum) return', replace: '' },
  { name: 'an unknown commit is taken for done', file: 'venue/src/record/log/sequencer.ts', ground: 'disasters',
    find: 'if (head.checksum === pending.row.checksum) return', replace: 'return' },
  { name: 'an unknown outcome is denied', file: 'venue/src/record/log/sequencer.ts', ground: 'disasters',
    find: "for (const { reject } of this.#flying?.callers ?? []) reject(new OutcomeUnknown())", replace: "for (const { reject } of this.#flying?.callers ?? []) reject(new Error('service_unavailable'))" },
  { name: 'epoch not looked at', file: 'venue/src/record/log/postgres-journal.ts', ground: 'postgres',
    find: ' and lease.epoch = $3', replace: '' },
  { name: 'epoch looked at without its lock', file: 'venue/src/record/log/postgres-journal.ts', ground: 'postgres',
    find: '\n  for share of lease`', replace: '`' },
  { name: 'a row beside the chain', file: 'venue/src/record/log/postgres-journal.ts', ground: 'postgres',
    find: 'select checksum from journal where stream = $1 order by first_seq desc limit 1)', replace: 'select $12::bytea)' },
  { name: 'the head read before the fence', file: 'venue/src/record/log/lease.ts', ground: 'postgres',
    find: '  const { rows } = await client.query(TAKE, [stream, holder, again])\n  if (rows[0]) {',
    replace: '  const head = await readHead(client, stream)\n  const { rows } = await client.query(TAKE, [stream, holder, again])\n  if (rows[0]) return { epoch: rows[0].epoch, timeline: rows[0].timeline, storeTime: rows[0].store_time, head }\n  if (rows[0]) {' },
  { name: 'rows read before the fence and not after', file: 'venue/src/record/log/recovery.ts', ground: 'takeovers',
    find: '    if (!tenure) await follow()\n  }\n  const taken = { replica, tenure }\n  await whileRenewed(journal, clock, async () => {\n    await follow()\n',
    replace: '  }\n  const taken = { replica, tenure }\n  await whileRenewed(journal, clock, async () => {\n' },
  { name: 'a lease is trusted for a minute', file: 'venue/src/record/log/sequencer.ts', ground: 'takeovers',
    find: 'const VERIFIED_MS = 3000', replace: 'const VERIFIED_MS = 60_000' },
  { name: 'time is the wall clock', file: 'venue/src/record/log/sequencer.ts', ground: 'disasters',
    find: 'return Math.max(this.#time.now(), this.#committed.at)', replace: 'return this.#clock.wall()' },
  { name: 'a waiting command is denied and stays', file: 'venue/src/record/log/intake.ts', ground: 'disasters',
    find: "    while (this.waiting(now) > PATIENCE_MS) this.#rejectOldest()", replace: "    for (const { since, reject } of this.#queue.backwards())\n      if (now - since > PATIENCE_MS) reject(new ServiceError('service_unavailable', { retryAfter: 1 }))" },
  { name: 'commands of one socket change places in a row', file: 'venue/src/record/log/intake.ts', ground: 'disasters',
    find: '    return taken\n', replace: '    return taken.reverse()\n' },
  { name: 'history is written twice', file: 'venue/src/record/history/facts.ts', ground: 'disasters',
    find: '    this.#facts = emptyFacts()\n    this.#size = 0', replace: '    this.#size = 0' },
  { name: 'what goes takes no cost along', file: 'venue/src/record/history/cost-basis.ts', ground: 'history',
    find: '    this.cost -= cost\n    this.sums.goneCost += cost', replace: '    this.sums.goneCost += cost' },
  { name: 'an order is reported as it was after the whole row', file: 'venue/src/record/history/account-changes.ts', ground: 'history',
    find: 'const matched = order.matched - after.lots', replace: 'const matched = order.matched' },
] // biome-ignore format: a mutant reads as a whole
