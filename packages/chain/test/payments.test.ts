import { type Prng, prng } from '@augury/testing/prng'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { confirmedBlock } from '../src/confirmed.ts'
import { Halt, NodeError } from '../src/node-error.ts'
import { advanceOutbox, type OutboxWorld } from '../src/outbox.ts'
import { type PayReport, type PayWorld, paymentRef, stepPayments, withoutReturned } from '../src/payments.ts'
import type { Node, OutboxStore, Signer } from '../src/ports.ts'
import { memoryLedger, memoryOutbox } from './memory-stores.ts'
import { Crash, crashing, faulty, ModelChain, modelSigner } from './model-chain.ts'
import {
  addressOf as address,
  LIMIT,
  modelVault,
  OPERATOR,
  pauseData,
  postData,
  refuseData,
  VAULT,
  type VaultState,
} from './model-vault.ts'

const CONFIRMATION = { confirmations: 3, finalized: false }

/** A chain with a vault, an exchange whose members withdraw, and the settler in between. */
function world(random: Prng) {
  const chain = new ModelChain<VaultState>(modelVault, random)
  const [store, ledger] = [memoryOutbox(), memoryLedger()]
  let [seq, senders, now] = [0, 1000, 0]
  /** A transaction of another sender. */
  const send = async (data: Hex) => {
    const transaction = { chainId: 1, nonce: 0, to: VAULT, data, gas: 1, maxFee: 1000n, tip: 1n }
    chain.submit(await modelSigner(address(senders++)).sign(transaction))
  }
  const step = async (
    node = chain.node(),
    ports = { store: store as OutboxStore, ledger: ledger as PayWorld['ledger'], signer: modelSigner(OPERATOR) },
    isHalted = false,
  ) => {
    const nodes = { any: node, both: node }
    const outbox: OutboxWorld = {
      node,
      clock: { now: () => now, sleep: async () => {} },
      signer: ports.signer,
      store: ports.store,
      chainId: 1,
      fees: { bumpMs: 60_000, feeCap: 10_000n },
      revised: (intent) => withoutReturned(ports.ledger, intent),
    }
    const at = await confirmedBlock(node, CONFIRMATION)
    if (!at) return null
    await advanceOutbox(outbox, at.pin)
    const pay: PayWorld = {
      nodes,
      store: ports.store,
      ledger: ports.ledger,
      vault: { chainId: 1, address: VAULT, block: 0 },
      confirmation: CONFIRMATION,
      agreeAbove: Number.MAX_SAFE_INTEGER,
      operator: OPERATOR,
      never: [],
    }
    return stepPayments(pay, at, isHalted)
  }
  return {
    chain,
    store,
    ledger,
    step,
    send,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    ask: (who: number, amount: number) => {
      ledger.asked.push({ ref: `w${ledger.asked.length}`, account: address(who), to: address(who + 100), amount, seq: ++seq })
    },
    /** Posts a root of now: with the payments that the exchange has settled. */
    post: () => {
      const { payments } = chain.head.state
      const names = new Map(ledger.asked.map(({ ref }) => [paymentRef(ref), ref]))
      const open = payments.findIndex(({ ref }) => ledger.ended.get(names.get(ref)!) !== 'settled')
      return send(postData(++seq, open === -1 ? payments.length : open))
    },
    /** Names of what the chain has paid at its head. */
    paid: () => {
      const names = new Map(ledger.asked.map(({ ref }) => [paymentRef(ref), ref]))
      return chain.head.state.payments.map(({ ref }) => names.get(ref)!)
    },
  }
}

/** Steps of the settler, with a block after each. */
async function rounds({ chain, step }: ReturnType<typeof world>, count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await step()
    chain.mine()
  }
}

const endedAs = (ended: Map<string, string>, how: string) => [...ended].filter(([, is]) => is === how).map(([ref]) => ref)

async function tried(work: Promise<PayReport | null>): Promise<PayReport | null> {
  return work.catch((error: unknown) => {
    if (error instanceof Crash || error instanceof NodeError || error instanceof Halt) return null
    throw error
  })
}

/** Runs everything without faults until nothing is left to do. */
async function heal({ chain, step, post, pass, store, ledger }: ReturnType<typeof world>): Promise<void> {
  chain.baseFee = 10n
  const isDone = () => ledger.ended.size === ledger.asked.length && [...store.all.values()].every(({ booked }) => booked)
  for (let round = 0, idle = 0; round < 300 && idle < 8; round++) {
    idle = isDone() ? idle + 1 : 0
    pass(60_000)
    await step()
    chain.mine()
    if (round % 6 === 0) await post()
  }
  expect(isDone()).toBe(true)
}

test('re-organisations up to the confirmations, failures, lies, crashes: each withdrawal is paid once or given back, never both or neither', async () => {
  let [paidInAll, returnedInAll] = [0, 0]
  for (let seed = 1; seed <= 6; seed++) {
    const random = prng(seed)
    const one = world(random)
    const { chain, ledger } = one
    const crash = () => random.chance(0.01)
    const ports = {
      store: crashing(one.store, crash),
      ledger: crashing(ledger, crash),
      signer: crashing<Signer>(modelSigner(OPERATOR), crash),
    }
    const node = crashing(faulty(chain.node(), random, { fails: 0.05, lies: 0.03 }), crash)
    for (let round = 0; round < 100; round++) {
      if (random.chance(0.5)) one.ask(random.integer(0, 9), random.integer(1, 600))
      if (random.chance(0.3)) await one.post()
      if (random.chance(0.05)) await one.send(refuseData(address(100 + random.integer(0, 9)), random.chance(0.5)))
      if (random.chance(0.05)) await one.send(pauseData(random.chance(0.3)))
      chain.baseFee = random.chance(0.1) ? 200n : 10n
      one.pass(random.integer(0, 60_000))
      await tried(one.step(node, ports))
      chain.mine(0.7)
      if (random.chance(0.15)) chain.undo(random.integer(1, 2), 0.3)
    }
    await one.send(pauseData(false))
    await heal(one)
    const settled = endedAs(ledger.ended, 'settled')
    const returned = endedAs(ledger.ended, 'returned')
    expect(settled.toSorted()).toEqual(one.paid().toSorted())
    expect(settled.length + returned.length).toBe(ledger.asked.length)
    expectShownByRoots(one)
    paidInAll += settled.length
    returnedInAll += returned.length
  }
  expect(paidInAll).toBeGreaterThan(120)
  expect(returnedInAll).toBeGreaterThan(5)
})

/** Expects that whatever a block paid was being withdrawn in a root of that block or before. */
function expectShownByRoots({ chain, ledger }: ReturnType<typeof world>): void {
  const seqs = new Map(ledger.asked.map(({ ref, seq }) => [paymentRef(ref), seq]))
  for (const [number, { state }] of chain.blocks.entries())
    for (const { ref } of state.payments.slice(chain.blocks[number - 1]?.state.payments.length ?? 0))
      expect(Math.max(...state.roots.map(({ seq }) => seq))).toBeGreaterThanOrEqual(seqs.get(ref)!)
}

test('re-organisations of any depth: what the exchange settled is paid on the chain that remains', async () => {
  let reopened = 0
  for (let seed = 1; seed <= 6; seed++) {
    const random = prng(seed)
    const one = world(random)
    const { chain, ledger } = one
    for (let round = 0; round < 80; round++) {
      if (random.chance(0.5)) one.ask(random.integer(0, 9), random.integer(1, 600))
      if (random.chance(0.3)) await one.post()
      if (random.chance(0.05)) await one.send(pauseData(random.chance(0.3)))
      one.pass(30_000)
      await tried(one.step(faulty(chain.node(), random, { fails: 0.02, lies: 0 })))
      chain.mine(0.7)
      if (random.chance(0.06)) {
        const before = one.paid().length
        chain.undo(random.integer(4, 25), random.pick([0, 0.3, 1]))
        reopened += before - one.paid().length
      }
    }
    await one.send(pauseData(false))
    await heal(one)
    expect(endedAs(ledger.ended, 'settled').toSorted()).toEqual(one.paid().toSorted())
    expect(ledger.ended.size).toBe(ledger.asked.length)
  }
  expect(reopened).toBeGreaterThan(50)
})

test('members who cancel at random moments beside re-organisations and crashes: cancelled or paid, never both or neither', async () => {
  let [cancelledInAll, refusedInAll] = [0, 0]
  for (let seed = 21; seed <= 26; seed++) {
    const random = prng(seed)
    const one = world(random)
    const { chain, ledger } = one
    const crash = () => random.chance(0.01)
    const ports = { store: crashing(one.store, crash), ledger: crashing(ledger, crash), signer: modelSigner(OPERATOR) }
    const node = crashing(faulty(chain.node(), random, { fails: 0.03, lies: 0 }), crash)
    for (let round = 0; round < 100; round++) {
      if (random.chance(0.5)) one.ask(random.integer(0, 9), random.integer(1, 600))
      if (random.chance(0.3)) await one.post()
      if (random.chance(0.4) && ledger.asked.length > 0) {
        const { ref } = random.pick(ledger.asked.slice(-4))
        if (ledger.claims.has(ref)) refusedInAll++
        else ledger.claims.set(ref, 'member')
      }
      one.pass(random.integer(0, 60_000))
      await tried(one.step(node, ports))
      chain.mine(0.7)
      if (random.chance(0.15)) chain.undo(random.integer(1, 2), 0.3)
    }
    await heal(one)
    const cancelled = [...ledger.claims].filter(([, holder]) => holder === 'member').map(([ref]) => ref)
    expect(endedAs(ledger.ended, 'returned').toSorted()).toEqual(cancelled.toSorted())
    expect(endedAs(ledger.ended, 'settled').toSorted()).toEqual(one.paid().toSorted())
    expect(ledger.ended.size).toBe(ledger.asked.length)
    cancelledInAll += cancelled.length
  }
  expect(cancelledInAll).toBeGreaterThan(30)
  expect(refusedInAll).toBeGreaterThan(30)
})

test('what a restored settler finds paid is settled, though its member cancelled it meanwhile', async () => {
  const one = world(prng(1))
  one.ask(1, 100)
  await one.post()
  await rounds(one, 6)
  for (let n = 0; n < 5; n++) one.chain.mine()
  // Intents and claims are lost with the store.
  one.store.all.clear()
  one.ledger.ended.clear()
  one.ledger.claims.set('w0', 'member')
  await one.step()
  expect(Object.fromEntries(one.ledger.ended)).toEqual({ w0: 'settled' })
})

test('a settler that lost its store pays nothing twice', async () => {
  const one = world(prng(1))
  for (let who = 0; who < 5; who++) one.ask(who, 100)
  await one.post()
  await rounds(one, 6)
  for (let n = 0; n < 5; n++) one.chain.mine()
  expect(one.paid()).toHaveLength(5)
  one.store.all.clear()
  await one.step()
  expect(endedAs(one.ledger.ended, 'settled')).toHaveLength(5)
  expect(one.store.all.size).toBe(0)
})

test('what was given back is taken out of a batch that a deep re-organisation undid', async () => {
  const one = world(prng(1))
  one.ask(1, 100)
  one.ask(2, 200)
  await one.send(refuseData(address(102), true))
  await one.post()
  await rounds(one, 12)
  expect(Object.fromEntries(one.ledger.ended)).toEqual({ w0: 'settled', w1: 'returned' })
  one.chain.undo(9, 1)
  await one.send(refuseData(address(102), false))
  one.chain.mine() // before the batch comes again
  await rounds(one, 12)
  expect(one.paid()).toEqual(['w0'])
})

test('what was given back and is paid by old bytes after all, and what was settled and fails after all, is reported until someone acts', async () => {
  const one = world(prng(1))
  one.ask(1, 100)
  one.ask(2, 200)
  await one.send(refuseData(address(102), true))
  await one.post()
  await rounds(one, 12)
  one.chain.undo(9)
  await one.send(refuseData(address(102), false))
  await one.send(refuseData(address(101), true))
  for (let round = 0; round < 12; round++) one.chain.mine()
  const reports = [await one.step(), await one.step()]
  for (const report of reports) {
    const alarms = [...report!.overpaid, ...report!.undeliverable]
    expect(alarms.length).toBeGreaterThan(0)
  }
})

test('a paused vault is not sent batches, and a halted settler queues none', async () => {
  const one = world(prng(1))
  one.ask(1, 100)
  await one.post()
  await one.send(pauseData(true))
  for (let n = 0; n < 5; n++) one.chain.mine()
  expect(await one.step()).toMatchObject({ sent: [], refused: expect.stringContaining('paused') })
  await one.send(pauseData(false))
  for (let n = 0; n < 5; n++) one.chain.mine()
  expect(await one.step(undefined, undefined, true)).toMatchObject({ sent: [] })
  expect(await one.step()).toMatchObject({ sent: [{ name: 'w0' }] })
})

test('above the limit a second node must show the root and the payments', async () => {
  const one = world(prng(1))
  one.ask(1, LIMIT - 1)
  await one.post()
  for (let n = 0; n < 5; n++) one.chain.mine()
  await one.step(undefined, undefined, true)
  const node = one.chain.node()
  const at = (await confirmedBlock(node, CONFIRMATION))!
  const silent: Node = { ...node, call: async () => Promise.reject(new NodeError('silent', 'no answer')) }
  const pay = (both: Node): PayWorld => ({
    nodes: { any: node, both },
    store: one.store,
    ledger: one.ledger,
    vault: { chainId: 1, address: VAULT, block: 0 },
    confirmation: CONFIRMATION,
    agreeAbove: 100,
    operator: OPERATOR,
    never: [],
  })
  await expect(stepPayments(pay(silent), at, false)).rejects.toMatchObject({ kind: 'silent' })
  expect(await stepPayments(pay({ ...node, block: async () => null }), at, false)).toMatchObject({ sent: [] })
  expect(await stepPayments(pay({ ...node }), at, false)).toMatchObject({ sent: [{ name: 'w0' }] })
})
