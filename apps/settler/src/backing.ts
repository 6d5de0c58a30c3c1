import type { Confirmed } from '@augury/chain/confirmed'
import { enqueue } from '@augury/chain/outbox'
import { enqueuePayments, UNSETTLED_MAX } from '@augury/chain/payments'
import type { Deposit, Intent, Payment, Pin } from '@augury/chain/ports'
import { payData, paymentStates, refusalOf, unsettledCounts, vaultState } from '@augury/chain/vault'
import { depositRef } from '@augury/chain/watch'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import type { Platform } from '@augury/platform/site/platform'
import { referenceOf } from '@augury/platform/withdrawals/withdrawal-row'
import { encodeFunctionData, type Hex, keccak256, maxUint256 } from 'viem'
import { hashOf, type Logged } from './exchange.ts'
import type { World } from './world.ts'

// A sandbox credits and settles by hand, too. So that its roots still fit to the vault, the settler brings the money into the vault, or pays it out.

/** Backing transactions that may wait for confirmation at once. */
const IN_FLIGHT = 40
const PAYMENTS_AT_ONCE = 50
const PREFIX = 'back '
const GAS = { mint: 100_000, approve: 80_000, deposit: 250_000 }

/** A deposit that brings money for credits which the exchange made by hand, named by the last of them. */
interface Group {
  ref: Hex
  account: Hex
  amount: number
}

/** Joins credits below the vault's least deposit with the next. Returns what is left of the last ones. */
export function groupsOf(credits: Iterable<Logged>, least: number): { groups: Group[]; left: number } {
  const groups: Group[] = []
  let left = 0
  for (const { ref, account, amount } of credits) {
    left += amount
    if (left < least) continue
    groups.push({ ref, account, amount: left })
    left = 0
  }
  return { groups, left }
}

/** Which credits deposits of the settler itself back: their transactions say so. */
export const backsOf =
  (platform: Platform, operator: Hex) =>
  async (deposits: readonly Deposit[]): Promise<(string | null)[]> => {
    if (deposits.every(({ sender }) => sender !== operator)) return deposits.map(() => null)
    const rows: { name: string; versions: { raw: Hex }[] }[] = await platform.em().execute(
      `select purpose ->> 'name' as name, versions from chain.intent
       where purpose @> '{"kind":"other"}' and purpose ->> 'name' like ? order by nonce desc limit 1000`,
      [`${PREFIX}%`],
    )
    const names = new Map(
      rows.flatMap(({ name, versions }) => versions.map(({ raw }): [Hex, string] => [keccak256(raw), name.slice(PREFIX.length)])),
    )
    return deposits.map(({ sender, transaction }) => (sender === operator && names.get(transaction)) || null)
  }

/** What a settler remembers of a sandbox: it saves asking again. */
interface Memory {
  /** Hashes of the references of the vault's deposits, up to which number, and how many credits were lost then: their numbers come again. */
  own: Set<Hex>
  upTo: number
  lost: number
  /** Settled withdrawals that the vault has paid, or never will. */
  paid: Set<Hex>
}

/**
 * Makes the step that brings money for credits by hand, and for credits whose deposits the chain lost, into the vault, and pays what was settled
 * by hand or is not paid any more (`owed`). Only for TestUSDC, which anybody may mint.
 */
export function backing(): (world: World, at: Confirmed, owed: readonly Payment[]) => Promise<void> {
  const memory: Memory = { own: new Set(), upTo: 0, lost: 0, paid: new Set() }
  return async (world, at, owed) => {
    for (const { ref } of owed) memory.paid.delete(ref)
    const state = await vaultState(world.nodes.any, world.vault, at.head)
    if (state.frozen || state.paused) return
    remember(memory, world, state.deposits + IN_FLIGHT)
    const intents = await world.outbox.intents(Number.MAX_SAFE_INTEGER)
    // Payments after the money that they need.
    if (await backCredits(world, memory, at, intents)) await paySettled(world, memory, at, intents, state.root?.payments ?? 0)
  }
}

/** Learns the references of the vault's deposits up to a number. */
function remember(memory: Memory, { vault, lost }: World, upTo: number): void {
  const all = lost?.all() ?? []
  if (all.length !== memory.lost) Object.assign(memory, { own: new Set(all), upTo: 0, lost: all.length })
  while (memory.upTo < upTo) {
    const ref = depositRef(vault, ++memory.upTo)
    memory.own.add(hashOf(lost?.nameOf(ref) ?? ref))
  }
}

/** Returns whether deposits for all credits are queued. */
async function backCredits(world: World, { own }: Memory, { head }: Confirmed, intents: readonly Intent[]): Promise<boolean> {
  const { accounts, outbox, nodes, vault, platform } = world
  const byHand = [...accounts.credits.values()].filter(({ ref }) => !own.has(ref))
  const lost = world.lost?.all().flatMap((ref) => accounts.credits.get(ref) ?? []) ?? []
  if (byHand.length + lost.length === 0) return true
  const [min] = await nodes.any.call([{ to: vault.address, data: encodeFunctionData({ abi: vaultAbi, functionName: 'minDeposit' }) }], head)
  const least = Number(BigInt(min!))
  const { groups, left } = groupsOf(byHand, least)
  if (left > 0) await accounts.creditByHand(world.suspense, `backing:${byHand.at(-1)!.ref}`, least - left)
  const rows: { backs: string }[] = await platform.em().execute('select backs from chain.deposit where backs is not null')
  const waiting = intents.flatMap(({ purpose }) => (purpose.kind === 'other' && purpose.name.startsWith(PREFIX) ? [purpose.name] : []))
  const done = new Set([...rows.map(({ backs }) => backs), ...waiting.map((name) => name.slice(PREFIX.length))])
  const missing = [...lost, ...groups].filter(({ ref }) => !done.has(ref))
  const due = missing.slice(0, Math.max(0, IN_FLIGHT - waiting.length))
  if (due.length === 0) return missing.length === 0
  await mint(
    world,
    due.reduce((sum, { amount }) => sum + amount, 0),
    head,
  )
  for (const { ref, account, amount } of due) {
    const data = encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args: [account, BigInt(amount)] })
    await enqueue(outbox, { purpose: { kind: 'other', name: `${PREFIX}${ref}` }, to: vault.address, data, gas: GAS.deposit })
  }
  return due.length === missing.length
}

/** Mints for deposits that follow, and lets the vault take them. */
async function mint({ nodes, outbox, token, vault, signer }: World, sum: number, head: Pin): Promise<void> {
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [signer.address, BigInt(sum)] })
  await enqueue(outbox, { purpose: { kind: 'other', name: 'mint' }, to: token, data, gas: GAS.mint })
  const asked = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [signer.address, vault.address] })
  const [allowed] = await nodes.any.call([{ to: token, data: asked }], head)
  if (BigInt(allowed!) >= 1n << 128n) return
  const approve = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [vault.address, maxUint256] })
  await enqueue(outbox, { purpose: { kind: 'other', name: 'approve' }, to: token, data: approve, gas: GAS.approve })
}

async function paySettled(world: World, { paid }: Memory, at: Confirmed, intents: readonly Intent[], included: number): Promise<void> {
  const { accounts, nodes, vault } = world
  const pays = intents.flatMap(({ purpose }) => (purpose.kind === 'pay' ? purpose.payments : []))
  const busy = new Set(pays.map(({ ref }) => ref))
  const settled = [...accounts.logged.values()].filter(({ ref, end }) => end?.status === 'settled' && !busy.has(ref) && !paid.has(ref))
  if (settled.length === 0) return
  const refs = settled.map(({ ref }) => ref)
  const states = await paymentStates(nodes.any, vault, refs, at.pin)
  for (const [index, ref] of refs.entries()) if (states[index] !== 'none') paid.add(ref)
  const due = settled.filter(({ ref }) => !paid.has(ref)).slice(0, PAYMENTS_AT_ONCE)
  if (due.length > 0) await pay(world, at, due, pays, included)
}

async function pay(world: World, at: Confirmed, due: readonly Logged[], pays: readonly Payment[], included: number): Promise<void> {
  const { outbox, nodes, vault, signer } = world
  const destinations = await destinationsOf(world.platform)
  const holders = [...new Set(due.map(({ account }) => account))]
  const found = await unsettledCounts(nodes.any, vault, holders, included, at.pin)
  const counts = new Map(found.map((count, index) => [holders[index]!, count]))
  for (const { account } of pays) counts.set(account, (counts.get(account) ?? 0) + 1)
  const payments = due.map(({ ref, account, amount }): Payment => {
    const count = counts.get(account) ?? 0
    counts.set(account, count + 1)
    // Scripts settle by hand as often as they like; the vault counts what it pays an account between two roots.
    const counted = count < UNSETTLED_MAX ? account : (`0x${ref.slice(2, 42)}` as Hex)
    return { ref, name: ref, account: counted, to: destinations.get(ref) ?? account, amount }
  })
  const refusal = await refusalOf(nodes.any, vault, signer.address, payData(payments), at.head)
  if (refusal !== null) throw new Error(`the vault refuses to pay what was settled by hand: ${refusal}`)
  await enqueuePayments({ store: outbox, vault }, payments)
}

async function destinationsOf(platform: Platform): Promise<Map<Hex, Hex>> {
  const rows: { id: string; destination: Hex }[] = await platform.em().execute('select id, destination from withdrawal')
  return new Map(rows.map((row) => [hashOf(referenceOf(row)), row.destination]))
}
