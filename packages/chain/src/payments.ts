import { type Hex, sha256, stringToBytes, zeroAddress } from 'viem'
import { type Confirmation, type Confirmed, type View, viewFor } from './confirmed.ts'
import { enqueue } from './outbox.ts'
import type { Intent, Ledger, Nodes, OutboxStore, Payment, Withdrawal } from './ports.ts'
import { type PaymentState, payData, paymentStates, refusalOf, unsettledCounts, type Vault, vaultState } from './vault.ts'

export interface PayWorld {
  nodes: Nodes
  store: OutboxStore
  ledger: Pick<Ledger, 'withdrawals' | 'claim' | 'endings' | 'settle' | 'giveBack'>
  vault: Vault
  confirmation: Confirmation
  /** Sum of payments, in millionths, above which two nodes must agree. */
  agreeAbove: number
  /** Address of the vault's operator, which signs. */
  operator: Hex
  /** Addresses that are never paid, besides zero: the vault, the collateral. Lower-case. */
  never: readonly Hex[]
  /** Whether the caller pays what is owed, as in a sandbox; otherwise it is queued again. */
  leaveOwed?: boolean
}

export interface PayReport {
  /** References ended on the exchange in this step. */
  settled: string[]
  returned: string[]
  /** Payments of a new intent. */
  sent: readonly Payment[]
  /** Withdrawals that wait, by reason. */
  held: Held
  /** Settled on the exchange, and not paid on the chain that replaced the one where they were paid. */
  owed: Payment[]
  /** Settled on the exchange, and failing on the chain that replaced the one where they were paid. An operator must pay these otherwise. */
  undeliverable: Payment[]
  /** Given back on the exchange, and paid on the chain that replaced the one where they had failed. */
  overpaid: Payment[]
  /** Why the vault would refuse the next batch; null if it would not. */
  refused: string | null
}

/** Numbers of withdrawals that wait: for a root that shows them, for earlier payments of their account, for the limit, for an operator. */
export interface Held {
  root: number
  account: number
  limit: number
  /** Above the whole limit, or to an address that is never paid. */
  impossible: number
}

/** Most payments in a transaction. */
export const PAY_BATCH = 100
/** Payments of an account that roots do not include yet; the vault refuses more. */
export const UNSETTLED_MAX = 2
/** Batches that may wait for confirmation at once. */
const IN_FLIGHT = 8
// A hundred payments stay below the 2²⁴ that one transaction may use, also where each transfer needs all of its 100 000.
const GAS_BASE = 300_000
const GAS_PAYMENT = 160_000

/** The vault's reference of a withdrawal: the hash that the exchange's log and public history keep of its reference. */
export const paymentRef = (name: string): Hex => sha256(stringToBytes(`ref${name}`))

/** Calldata of an intent that a re-organisation undid: without what the exchange has given back since. For `OutboxWorld.revised`. */
export async function withoutReturned({ endings }: Pick<Ledger, 'endings'>, { purpose }: Intent): Promise<Hex | null> {
  if (purpose.kind !== 'pay') return null
  const states = await endings(namesOf(purpose.payments))
  return states.includes('returned') ? payData(purpose.payments.filter((_, index) => states[index] !== 'returned')) : null
}

/**
 * Ends what the vault shows as paid or failed at the confirmed block, and queues the next batch. Only that state ends a withdrawal, never a receipt.
 * With `isHalted` nothing new is queued. Can be cut short anywhere. Throws `NodeError` to be retried.
 */
export async function stepPayments(world: PayWorld, at: Confirmed, isHalted: boolean): Promise<PayReport> {
  const held = { root: 0, account: 0, limit: 0, impossible: 0 }
  const report: PayReport = { settled: [], returned: [], sent: [], held, owed: [], undeliverable: [], overpaid: [], refused: null }
  const open = new Map((await world.ledger.withdrawals()).map((one) => [one.ref, one]))
  const intents = (await world.store.intents(Number.MAX_SAFE_INTEGER)).filter(isPay)
  // In the order of the chain: a root can name the payments settled before it only if none is left out.
  for (const intent of intents) if (intent.mined && !(await book(world, at, report, open, intent, intents))) break
  if (isHalted) return report
  const waiting = intents.filter(({ booked }) => !booked)
  await endCancelled(world, at, report, open)
  if (waiting.filter(({ mined }) => !mined).length < IN_FLIGHT) await queueNext(world, at, report, open, waiting)
  return report
}

type PayIntent = Intent & { purpose: { kind: 'pay' } }
const isPay = (intent: Intent): intent is PayIntent => intent.purpose.kind === 'pay'

type Verdict = 'settle' | 'give back' | 'owed' | 'undeliverable' | 'overpaid'
/** What follows from what the vault shows of a payment and how it stands on the exchange; nothing where both agree. */
const VERDICTS: Partial<Record<`${PaymentState} ${'waiting' | 'settled' | 'returned'}`, Verdict>> = {
  'paid waiting': 'settle',
  'failed waiting': 'give back',
  // The last three need a re-organisation deeper than the confirmations.
  'none settled': 'owed',
  'failed settled': 'undeliverable',
  'paid returned': 'overpaid',
}

/** Acts upon what a mined batch did; false where it cannot be decided yet. */
async function book(
  world: PayWorld,
  { pin }: Confirmed,
  report: PayReport,
  open: Map<string, Withdrawal>,
  intent: PayIntent,
  intents: readonly PayIntent[],
): Promise<boolean> {
  const { payments } = intent.purpose
  const view = await viewFor(sumOf(payments), pin, world)
  if (!view || (await view.node.nonce(world.operator, view.pin)) <= intent.nonce) return false
  const states = await paymentStates(view.node, world.vault, refsOf(payments), view.pin)
  const endings = await world.ledger.endings(namesOf(payments))
  const found = new Map<Verdict, Payment[]>()
  for (const [index, payment] of payments.entries()) {
    const verdict = VERDICTS[`${states[index]!} ${endings[index]!}`]
    if (verdict) found.set(verdict, [...(found.get(verdict) ?? []), payment])
  }
  for (const { name } of found.get('settle') ?? []) await end(world, report, open, name, 'settled')
  for (const { name } of found.get('give back') ?? []) await end(world, report, open, name, 'returned')
  const undeliverable = found.get('undeliverable') ?? []
  const overpaid = found.get('overpaid') ?? []
  report.undeliverable.push(...undeliverable)
  report.overpaid.push(...overpaid)
  const inFlight = new Set(intents.filter((other) => other !== intent && !other.booked).flatMap(({ purpose }) => refsOf(purpose.payments)))
  const again = (found.get('owed') ?? []).filter(({ ref }) => !inFlight.has(ref))
  report.owed.push(...again)
  if (again.length > 0 && !world.leaveOwed) await enqueuePayments(world, again)
  // What needs an operator stays open, and is reported at each step.
  if (undeliverable.length + overpaid.length > 0) return true
  intent.booked = view.pin
  await world.store.save(intent)
  return true
}

/**
 * Gives back what members cancelled. The vault has the last word: a settler whose store was restored from a backup may have paid it, and a payment
 * that no confirmed block shows yet is waited for.
 */
async function endCancelled(world: PayWorld, { pin, head }: Confirmed, report: PayReport, open: Map<string, Withdrawal>): Promise<void> {
  const cancelled = [...open.values()].filter(({ isCancelled }) => isCancelled).map(({ ref }) => ref)
  if (cancelled.length === 0) return
  const refs = cancelled.map(paymentRef)
  const [confirmed, latest] = [
    await paymentStates(world.nodes.any, world.vault, refs, pin),
    await paymentStates(world.nodes.any, world.vault, refs, head),
  ]
  for (const [index, name] of cancelled.entries())
    if (confirmed[index] === latest[index]) await end(world, report, open, name, confirmed[index] === 'paid' ? 'settled' : 'returned')
    else open.delete(name)
}

/** Ends a withdrawal on the exchange, as the vault shows it. */
async function end(
  { ledger }: PayWorld,
  report: PayReport,
  open: Map<string, Withdrawal>,
  name: string,
  how: 'settled' | 'returned',
): Promise<void> {
  await (how === 'settled' ? ledger.settle(name) : ledger.giveBack(name))
  open.delete(name)
  report[how].push(name)
}

/** Queues the next batch, unless the vault would refuse it. */
async function queueNext(
  world: PayWorld,
  at: Confirmed,
  report: PayReport,
  open: Map<string, Withdrawal>,
  waiting: PayIntent[],
): Promise<void> {
  const inFlight = waiting.flatMap(({ purpose }) => purpose.payments)
  let view: View = { node: world.nodes.any, pin: at.pin }
  let batch = await choose(world, view, report, open, inFlight)
  const agreed = await viewFor(sumOf(batch), at.pin, world)
  if (!agreed) return
  if (agreed.node !== view.node) {
    view = agreed
    batch = await choose(world, view, report, open, inFlight)
    if (sumOf(batch) > world.agreeAbove && view.node !== world.nodes.both) return
  }
  if (batch.length === 0) return
  report.refused = await refusalOf(world.nodes.any, world.vault, world.operator, payData(batch), at.head)
  if (report.refused !== null) return
  // Claimed last: until then a member may cancel. What is claimed and not queued, because of a crash, is chosen again.
  const claimed = await world.ledger.claim(namesOf(batch))
  const sent = batch.filter(({ name }) => claimed.has(name))
  if (sent.length === 0) return
  await enqueuePayments(world, sent)
  report.sent = sent
}

/** Chooses payments by what the vault shows in a view. Ends on the exchange what it shows as ended already: a settler may have lost its store. */
async function choose(
  world: PayWorld,
  { node, pin }: View,
  report: PayReport,
  open: Map<string, Withdrawal>,
  inFlight: readonly Payment[],
): Promise<Payment[]> {
  const { vault } = world
  const { spent, limit, root } = await vaultState(node, vault, pin)
  const busy = new Set(refsOf(inFlight))
  const counts = new Map<Hex, number>()
  const known = new Map<Hex, PaymentState>()
  for (;;) {
    const candidates = [...open.values()].filter(({ ref }) => !busy.has(paymentRef(ref)))
    const left = limit - spent - sumOf(inFlight)
    const never = [vault.address, ...world.never]
    const { batch, held } = nextBatch(candidates, { rootSeq: root?.seq ?? null, left, whole: limit, counts, inFlight, never })
    report.held = held
    const accounts = [...new Set(batch.map(({ account }) => account))].filter((account) => !counts.has(account))
    const refs = refsOf(batch).filter((ref) => !known.has(ref))
    if (refs.length === 0 && accounts.length === 0) return batch
    for (const [index, count] of (await unsettledCounts(node, vault, accounts, root?.payments ?? 0, pin)).entries())
      counts.set(accounts[index]!, count)
    for (const [index, state] of (await paymentStates(node, vault, refs, pin)).entries()) {
      known.set(refs[index]!, state)
      const { name } = batch.find(({ ref }) => ref === refs[index])!
      if (state === 'paid') await end(world, report, open, name, 'settled')
      if (state === 'failed') await end(world, report, open, name, 'returned')
    }
  }
}

/** What decides which withdrawals are next. */
export interface BatchRules {
  /** Position of the last root that stands; null before the first. */
  rootSeq: number | null
  /** What the vault still pays now, and when it has paid nothing for long, in millionths. */
  left: number
  whole: number
  /** Payments of accounts that no root includes yet, as far as known. */
  counts: ReadonlyMap<Hex, number>
  /** Payments that are queued or sent. */
  inFlight: readonly Payment[]
  /** Addresses that are never paid. */
  never: readonly Hex[]
}

/**
 * Chooses what to pay, oldest first: only what the last posted root shows as being withdrawn, at most two payments an account that roots do not
 * include, within the limit. A withdrawal that waits for the limit lets no younger one pass.
 */
export function nextBatch(withdrawals: readonly Withdrawal[], rules: BatchRules): { batch: Payment[]; held: Held } {
  const held: Held = { root: 0, account: 0, limit: 0, impossible: 0 }
  const batch: Payment[] = []
  const counts = new Map(rules.counts)
  for (const { account } of rules.inFlight) counts.set(account, (counts.get(account) ?? 0) + 1)
  let { left } = rules
  let isFull = false
  for (const { ref, account, to, amount, seq } of withdrawals.toSorted((a, b) => a.seq - b.seq)) {
    const count = counts.get(account) ?? 0
    if (amount > rules.whole || amount <= 0 || to === zeroAddress || rules.never.includes(to)) held.impossible++
    else if (rules.rootSeq === null || seq > rules.rootSeq) held.root++
    else if (count >= UNSETTLED_MAX) held.account++
    else if (isFull || amount > left) {
      held.limit++
      isFull = true
    } else if (batch.length < PAY_BATCH) {
      batch.push({ ref: paymentRef(ref), name: ref, account, to, amount })
      counts.set(account, count + 1)
      left -= amount
    }
  }
  return { batch, held }
}

/** Queues a batch of payments, which is not looked at. */
export const enqueuePayments = ({ store, vault }: Pick<PayWorld, 'store' | 'vault'>, payments: readonly Payment[]): Promise<Intent> =>
  enqueue(store, {
    purpose: { kind: 'pay', payments },
    to: vault.address,
    data: payData(payments),
    gas: GAS_BASE + GAS_PAYMENT * payments.length,
  })

const refsOf = (payments: readonly Payment[]): Hex[] => payments.map(({ ref }) => ref)
const namesOf = (payments: readonly Payment[]): string[] => payments.map(({ name }) => name)
const sumOf = (payments: readonly Payment[]): number => payments.reduce((sum, { amount }) => sum + amount, 0)
