import { setTimeout as wait } from 'node:timers/promises'
import { createTradingKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { abi as safeAbi } from '@augury/contracts/generated/safe-l2'
import { auguryOrderDomain } from '@augury/signing/order-domains'
import { type OrderFieldsV2, orderTypedData } from '@augury/signing/order-fields'
import { PROXY_SIGNATURE_TYPE, proxyWalletOf } from '@augury/signing/proxy-wallet'
import { conditionRequest } from '@augury/testing/condition-request'
import { eventually } from '@augury/testing/eventually'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { CHAIN_ID, hasAnvil, onAnvil, onToken, onVault } from '../../../packages/chain/test/anvil.ts'
import { LeaseLost } from '../src/lease.ts'
import { openRest } from '../src/rest.ts'
import { rootSource } from '../src/root-source.ts'
import type { World } from '../src/world.ts'
import { startProgram, startRemoteSigner } from './program.ts'
import { ALICE, alice, bob, OPERATOR_KEY, openScene, operator, type Scene, token, vault } from './scene.ts'

const EMPTY = `0x${'00'.repeat(32)}` as const

let scene: Scene
beforeAll(async () => {
  if (hasAnvil()) scene = await openScene()
})
afterAll(() => scene?.close())

/** Whether exchange and vault agree to the millionth, and nothing is under way. */
async function isEven(): Promise<boolean> {
  const { depositTotal, paymentTotal } = await scene.vault()
  const withdrawals = (await scene.manager.listWithdrawals()).data
  const sum = (all: { amount: string }[]) => all.reduce((total, { amount }) => total + Number(amount), 0)
  const settled = withdrawals.filter(({ status }) => status === 'settled')
  const asked = withdrawals.filter(({ status }) => status === 'withdrawing')
  const returned = withdrawals.filter(({ status }) => status === 'returned')
  return settled.length + returned.length === asked.length && depositTotal === sum(await scene.credited()) && paymentTotal === sum(settled)
}

onAnvil('a deposit is credited, and a withdrawal is posted in a root, paid, and settled', async () => {
  const settler = await scene.settler('one')
  await scene.deposit(alice, 60_000_000)
  await settler.until(({ watched }) => watched?.credited.length)
  expect(await scene.credited()).toMatchObject([{ amount: '60000000' }])
  await scene.withdraw(alice, 10_000_000, bob.address)
  const { status } = await settler.until(async () => (await scene.stepsOf()).includes('settled'))
  expect(await scene.balanceOf(bob.address)).toBe(10_000_000)
  expect(status).toMatchObject({ halted: null, troubles: [], balance: 50_000_000, deposits: 60_000_000, payments: 10_000_000 })
  expect(await scene.rows('select n, account, amount::int, backs from chain.deposit')).toEqual([
    { n: 1, account: alice.address, amount: 60_000_000, backs: null },
  ])
  const [root] = await scene.rows<{ hash: string }>('select hash from chain.root order by n limit 1')
  const signed = (await scene.manager.listStateRoots()).data.map(({ hash }) => `0x${hash}`)
  expect(signed).toContain(root?.hash)
  await settler.release()
})

const arrivals = () => scene.rows('select account, amount::int, n from chain.arrival')

onAnvil('money at a deposit address is swept and credited by the round that finds it', async () => {
  const settler = await scene.settler('sweeper')
  await scene.rows('insert into chain.address (account) values (?)', [bob.address])
  await scene.anvil.send(bob, token, onToken('mint', await scene.depositAddress(bob.address), 7_000_000n))
  const { watched } = await settler.round()
  expect(watched?.credited).toMatchObject([{ account: bob.address, amount: 7_000_000 }])
  expect(await arrivals()).toEqual([])
  expect(await scene.credited()).toMatchObject([{}, { amount: '7000000' }])
  await settler.release()
})

onAnvil(
  'money at a deposit address is shown once at a time: while it lies there, and while its deposit waits for confirmations',
  async () => {
    const settler = await scene.settler('confirming', (world) => ({ ...world, confirmation: { confirmations: 1, finalized: false } }))
    await scene.anvil.ask('evm_setAutomine', false)
    const sent = scene.anvil.send(bob, token, onToken('mint', await scene.depositAddress(bob.address), 6_000_000n))
    const isSent = sent.then(() => true)
    while (!(await Promise.race([isSent, wait(20, false)]))) await scene.anvil.ask('anvil_mine', '0x1')
    await settler.round()
    const lying = { account: bob.address, amount: 6_000_000, n: null }
    expect(await arrivals()).toEqual([lying]) // its sweep is in no block
    await scene.anvil.ask('anvil_mine', '0x1')
    await scene.anvil.ask('evm_setAutomine', true)
    await settler.round()
    expect(await arrivals()).toEqual([{ ...lying, n: 3 }])
    await scene.anvil.send(bob, token, onToken('mint', await scene.depositAddress(bob.address), 5_000_000n))
    await settler.round() // reads the address before the sweep, and the deposits after it
    expect(await arrivals()).toEqual([{ ...lying, amount: 5_000_000, n: 4 }])
    await scene.anvil.ask('anvil_mine', '0x1')
    await settler.until(async () => (await scene.credited()).length === 4)
    expect(await arrivals()).toEqual([])
    await settler.release()
  },
)

onAnvil('a withdrawal that its member cancels is given back, and one that the settler claimed is paid', async () => {
  const settler = await scene.settler('cancelled')
  const before = await scene.balanceOf(bob.address)
  const mine = await scene.withdraw(alice, 3_000_000, bob.address)
  const theirs = await scene.withdraw(alice, 4_000_000, bob.address)
  expect(await settler.world.accounts.claim([theirs])).toEqual(new Set([theirs]))
  await scene.rows(`insert into chain.claim (ref, holder) values (?, 'member')`, [mine])
  expect(await settler.world.accounts.claim([mine, theirs])).toEqual(new Set([theirs]))
  const ended = async () => (await scene.manager.listWithdrawals()).data.filter(({ status }) => status !== 'withdrawing')
  await settler.until(async () => (await ended()).length === 3)
  expect((await ended()).slice(1).map(({ status, amount }) => [status, amount])).toEqual([
    ['returned', '3000000'],
    ['settled', '4000000'],
  ])
  expect(await scene.balanceOf(bob.address)).toBe(before + 4_000_000)
  await settler.release()
})

onAnvil('a member’s wallet is deployed', async () => {
  const settler = await scene.settler('deployer')
  await scene.rows(`insert into chain.wallet (owner, signature) values (?, '0x')`, [alice.address])
  await settler.until(async () => (await scene.rows(`select from chain.wallet where state = 'deployed' and transaction like '0x%'`)).length)
  await settler.release()
})

onAnvil('an order of a deployed wallet, signed by its owner, is taken by the exchange', async () => {
  const { exchange, anvil, manager } = scene
  const maker = proxyWalletOf(ALICE.address)
  const [owners] = await anvil.node.call(
    [{ to: maker, data: encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' }) }],
    (await anvil.node.block('latest'))!,
  )
  expect(decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data: owners! })).toEqual([ALICE.address])
  const { tokens } = await manager.registerCondition({ body: conditionRequest('safe') })
  const apiKey = await createTradingKey({ url: exchange.url, wallet: ALICE })
  const fields = {
    ...{ salt: '1', maker, signer: ALICE.address, tokenId: tokens[0]!.token_id, makerAmount: '4200000', takerAmount: '10000000' },
    ...{ side: 'BUY', signatureType: PROXY_SIGNATURE_TYPE, timestamp: String(Date.now()), metadata: EMPTY, builder: EMPTY },
  } as OrderFieldsV2
  const signature = await ALICE.signTypedData(orderTypedData(fields, auguryOrderDomain(CHAIN_ID)) as never)
  const order = { ...fields, expiration: '0', signature }
  const placed = await venueClient({ url: exchange.url, apiKey }).placeOrder({ body: { order, owner: apiKey.key, orderType: 'GTC' } })
  expect(placed).toMatchObject({ state: 'live' })
  await venueClient({ url: exchange.url, apiKey }).cancelAll()
})

onAnvil('the program signs by a remote signer, says how it stands, and gives the lease back when it stops', async () => {
  const signer = await startRemoteSigner(OPERATOR_KEY)
  const { url: SIGNER_URL } = signer
  const program = await startProgram({ ...scene.programEnvironment, SETTLER_KEY: '', SIGNER_URL, SIGNER_ADDRESS: operator.address })
  await program.waitFor(/this settler is the active one/)
  const waiting = await startProgram(scene.programEnvironment)
  try {
    await scene.deposit(bob, 2_000_000)
    await scene.withdraw(bob, 1_000_000, `0x${'ee'.repeat(20)}`)
    await eventually(async () => expect(await isEven()).toBe(true))
    expect(signer.signed).toBeGreaterThan(1)
    const ready = await eventually(async () => {
      const answer = await fetch(`${program.url}/readyz`)
      expect(answer.status).toBe(200)
      return answer.json()
    })
    expect(ready).toMatchObject({ status: 'ok', active: true, halted: null })
    const metrics = await (await fetch(`${program.url}/metrics`)).text()
    expect(metrics).toMatch(/^augury_settler_active 1$/m)
    expect(metrics).toMatch(/^augury_halted 0$/m)
    expect(metrics).toMatch(/^augury_hot_wallet_balance \d/m)
    expect(await program.stop()).toBe(0)
    await waiting.waitFor(/this settler is the active one/) // at once, for the lease was given back
    expect(await waiting.stop()).toBe(0)
    expect(await scene.rows(`select from chain.cursor where name = 'lease'`)).toEqual([])
  } finally {
    await Promise.all([program.stop('SIGKILL'), waiting.stop('SIGKILL')])
    signer.close()
  }
})

onAnvil('what was credited by hand is brought into the vault, also dust, and what was settled by hand is paid', async () => {
  const settler = await scene.settler('backer')
  const byHand = (amount: string, ref: string) => scene.manager.deposit({ body: { address: alice.address, amount, ref } })
  await byHand('5000000', 'hand-1')
  await byHand('3', 'hand-dust')
  for (const ref of ['out-1', 'out-2', 'out-3']) {
    await scene.manager.withdraw({ body: { address: alice.address, amount: '1000000', ref } })
    await scene.manager.settleWithdrawal({ params: { ref } })
  }
  await settler.until(isEven)
  await scene.withdraw(alice, 2_000_000, bob.address)
  const { status } = await settler.until(isEven)
  expect(status).toMatchObject({ halted: null, troubles: [] })
  expect(await scene.balanceOf(alice.address)).toBe(3_000_000)
  expect(await scene.rows('select amount::int from chain.deposit where backs is not null order by n')).toEqual([
    { amount: 5_000_000 },
    { amount: 1_000_000 },
  ])
  await settler.release()
})

onAnvil('a settler that lost its lease writes nothing', async () => {
  const first = await scene.settler('first')
  await expect(scene.settler('second')).rejects.toThrow('another settler')
  await scene.rows(`update chain.cursor set value = value || '{"until": "2020-01-01"}' where name = 'lease'`)
  const second = await scene.settler('second')
  await expect(first.world.outbox.save({ ...(await anIntent(first.world)) })).rejects.toThrow(LeaseLost)
  await expect(first.round()).rejects.toThrow(LeaseLost)
  await scene.deposit(bob, 4_000_000)
  await second.until(isEven)
  await second.release()
})

const anIntent = async ({ outbox }: World) => (await outbox.booked(0, 1))[0]!

onAnvil('a settler that is killed at any call goes on where it stopped, and nothing happens twice', async () => {
  class Killed extends Error {}
  const seen = new Set<string>()
  let [calls, dieAt, total] = [0, Number.POSITIVE_INFINITY, 0]
  /** Ends the settler before or after one of its writes to the store, the exchange or the chain. */
  const mortal = <Part extends object>(part: Part, names: readonly string[]): Part =>
    new Proxy(part, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function' || !names.includes(String(name))) return value
        return async (...args: unknown[]) => {
          const die = () => {
            if (++calls < dieAt) return
            if (calls === dieAt) seen.add(String(name))
            throw new Killed()
          }
          die()
          const result = await value.apply(target, args)
          die()
          return result
        }
      },
    })
  const changed = (world: World): World => ({
    ...world,
    outbox: mortal(world.outbox, ['add', 'save']),
    deposits: mortal(world.deposits, ['add', 'setScanned']),
    accounts: mortal(world.accounts, ['credit', 'settle']),
    nodes: { any: mortal(world.nodes.any, ['send']), both: mortal(world.nodes.both, ['send']) },
  })
  for (let at = 1; at <= 22; at += 6) {
    total += 2_000_000
    await scene.deposit(alice, 2_000_000)
    await scene.withdraw(alice, 1_000_000, bob.address)
    ;[calls, dieAt] = [0, at]
    const doomed = await scene.settler(`doomed ${at}`, changed)
    for (let rounds = 0; calls < dieAt && rounds < 20; rounds++) await doomed.round().catch(() => {})
    await doomed.release()
    dieAt = Number.POSITIVE_INFINITY
    const next = await scene.settler(`next ${at}`)
    await next.until(isEven)
    await next.release()
  }
  expect(total).toBe(8_000_000)
  expect(seen.size).toBeGreaterThan(1)
})

onAnvil('a re-organisation that undoes a payment has it paid again, once', async () => {
  const settler = await scene.settler('again')
  await settler.until(isEven)
  const before = await scene.balanceOf(bob.address)
  await scene.anvil.ask('anvil_mine', '0x4')
  await scene.withdraw(alice, 1_000_000, bob.address)
  await settler.until(isEven)
  const { paymentTotal: paid } = await scene.vault()
  await scene.anvil.ask('anvil_reorg', 3, [])
  expect((await scene.vault()).paymentTotal).toBeLessThan(paid)
  await settler.until(isEven)
  expect(await scene.balanceOf(bob.address)).toBe(before + 1_000_000)
  await settler.release()
})

onAnvil('a sandbox whose chain went back to an older state backs, pays and posts again what it lost', async () => {
  const settler = await scene.settler('healing')
  await settler.until(isEven)
  const paidBefore = await scene.balanceOf(bob.address)
  const snapshot = await scene.anvil.ask('evm_snapshot')
  await scene.deposit(bob, 20_000_000)
  await scene.deposit(alice, 5_000_000)
  await scene.manager.deposit({ body: { address: alice.address, amount: '3000000', ref: 'hand-before-loss' } })
  await settler.until(isEven)
  for (const amount of [4_000_000, 2_000_000, 1_000_000]) {
    await scene.withdraw(alice, amount, bob.address)
    await settler.until(isEven)
  }
  const { status: before } = await settler.until(({ root }) => root?.waiting === 'none_new')
  await scene.anvil.ask('evm_revert', snapshot)
  // The same deposit takes the number of the one that is lost: it is another one.
  await scene.deposit(bob, 20_000_000)
  await settler.until(isEven)
  const { status } = await settler.until(({ root, outbox }) => root?.waiting === 'none_new' && outbox?.open === 0)
  expect(status).toMatchObject({ halted: null, root_waits: null, troubles: [] })
  expect(status!.root!.seq).toBeGreaterThan(before!.root!.seq)
  expect(await scene.balanceOf(bob.address)).toBe(paidBefore + 7_000_000)
  const ofBob = (await scene.credited()).filter(({ address, amount }) => address.toLowerCase() === bob.address && amount === '20000000')
  expect(ofBob).toHaveLength(2)
  await scene.withdraw(bob, 30_000_000, alice.address)
  await settler.until(isEven)
  await settler.release()
})

onAnvil('a settler rests while nothing changes, and wakes for a block, a member, or the exchange', async () => {
  const settler = await scene.settler('resting')
  const { round, world } = settler
  let now = world.clock.now()
  const rest = openRest({ ...world, clock: { ...world.clock, now: () => now } })
  const rested = async () => {
    for (let rounds = 0; rounds < 20 && !(await rest.lasts()); rounds++) {
      await rest.before()
      rest.after(await round())
    }
    expect(await rest.lasts()).toBe(true)
  }
  await rested()
  await scene.anvil.ask('anvil_mine', '0x1')
  expect(await rest.lasts()).toBe(false)
  await rested()
  await scene.rows(`insert into chain.wallet (owner, signature) values (?, '0x')`, [bob.address])
  now += 1_001
  expect(await rest.lasts()).toBe(false)
  await rested()
  await scene.manager.deposit({ body: { address: alice.address, amount: '2000000', ref: 'while-it-rests' } })
  now += 1_001
  expect(await rest.lasts()).toBe(false)
  await rested()
  now += 10_000
  expect(await rest.lasts()).toBe(false)
  await settler.release()
})

onAnvil('a demand is refuted by a root that is posted for it, or paid to the account and closed', async () => {
  const settler = await scene.settler('answering')
  await settler.until(isEven)
  const demand = (amount: bigint, holder: string) => scene.anvil.send(alice, vault, onVault('demand', amount, holder))
  const isAnswered = async () => (await scene.demandOf(alice)) === 0
  const before = await scene.balanceOf(alice.address)
  await demand(1_000_000n, `0x${'77'.repeat(32)}`) // of no account
  await settler.until(isAnswered)
  const holder = await scene.holder(ALICE)
  await demand(900_000_000n, holder)
  await settler.until(isAnswered)
  expect(await scene.balanceOf(alice.address)).toBe(before)
  await demand(1_000_000n, holder)
  await settler.until(isAnswered)
  expect(await scene.balanceOf(alice.address)).toBe(before + 1_000_000)
  expect(await settler.until(isEven)).toMatchObject({ demands: { open: 0 }, status: { halted: null, troubles: [] } })
  await settler.release()
})

onAnvil('on a real chain the settler does not credit by hand: payments stop, and the status says why', async () => {
  const settler = await scene.settler('real', (world) => ({
    ...world,
    isSandbox: false,
    source: rootSource(async () => scene.manager, world.accounts, world.platform, false),
  }))
  await settler.until(isEven)
  await scene.manager.deposit({ body: { address: bob.address, amount: '9000000', ref: 'by-hand' } })
  await scene.withdraw(bob, 1_000_000, bob.address)
  const { status } = await settler.until(({ halted }) => halted)
  expect(status?.halted).toMatchObject({ step: 'root', reason: 'vault_differs' })
  for (let rounds = 0; rounds < 3; rounds++) await settler.round()
  expect(await isEven()).toBe(false)
  expect((await scene.stepsOf()).at(-1)).toBe('withdrawing')
  await settler.release()
})
