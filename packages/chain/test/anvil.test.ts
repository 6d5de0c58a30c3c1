import { depositAddressOf, depositorFactoryOf } from '@augury/contracts/deployment'
import { abi as safeAbi } from '@augury/contracts/generated/safe-l2'
import { proxyWalletOf, SAFE_CONTRACTS } from '@augury/signing/proxy-wallet'
import { sha256 } from '@augury/signing/sha256'
import {
  assetBytes,
  bytesHex,
  compareBytes,
  hexBytes,
  holderOf,
  pathOf,
  putRecord,
  RECORD_BYTES,
  recordAt,
  stateTree,
} from '@augury/signing/state-tree'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { compareVault } from '../src/compare.ts'
import { type Confirmed, confirmedBlock } from '../src/confirmed.ts'
import { deployContracts } from '../src/deploy.ts'
import { nodesOf } from '../src/nodes.ts'
import { advanceOutbox } from '../src/outbox.ts'
import { stepPayments, withoutReturned } from '../src/payments.ts'
import type { Nodes } from '../src/ports.ts'
import { exitData, refuteData } from '../src/proofs.ts'
import { type ExchangeRoot, stepRoots } from '../src/roots.ts'
import { stepWallets } from '../src/safe.ts'
import { keySigner } from '../src/sign.ts'
import { depositAddresses, stepSweep } from '../src/sweep.ts'
import { vaultState } from '../src/vault.ts'
import { wallClock } from '../src/wall-clock.ts'
import { watchDeposits } from '../src/watch.ts'
import { type Anvil, CHAIN_ID, hasAnvil, onAnvil, onToken, onVault, startAnvil, testDeployment } from './anvil.ts'
import { memoryDeposits, memoryLedger, memoryOutbox } from './memory-stores.ts'

const [operator, alice, bob] = ['a1', 'b2', 'c3'].map((byte) => keySigner(byte.repeat(32))) as [
  ReturnType<typeof keySigner>,
  ReturnType<typeof keySigner>,
  ReturnType<typeof keySigner>,
]
const { addresses, steps } = testDeployment({ operator: operator.address, guardian: bob.address })
const lower = (address: Hex) => address.toLowerCase() as Hex
const [token, factory] = [lower(addresses.token), lower(addresses.depositorFactory)]
const vault = { chainId: CHAIN_ID, address: lower(addresses.vault), block: 0 }
const confirmation = { confirmations: 2, finalized: false }
const SALT = new Uint8Array(32).fill(7)

let anvil: Anvil
let nodes: Nodes

beforeAll(async () => {
  if (!hasAnvil()) return
  anvil = await startAnvil()
  for (const { address } of [operator, alice, bob]) await anvil.ask('anvil_setBalance', address, '0x8ac7230489e80000')
  nodes = nodesOf([anvil.node], { chainId: CHAIN_ID, genesis: (await anvil.node.block(0))!.hash }, wallClock)
})
afterAll(() => anvil?.stop())

/** An exchange with two members whose balances are what it credited less what it settled. */
function exchange() {
  const [deposits, outbox, ledger] = [memoryDeposits(), memoryOutbox(), memoryLedger()]
  let [seq, n] = [0, 0]
  let newest: (ExchangeRoot & { leaves: Uint8Array }) | null = null
  const settled = () => ledger.asked.filter(({ ref }) => ledger.ended.get(ref) === 'settled')
  const balanceOf = (account: Hex) =>
    [...ledger.credits.values()].reduce((sum, one) => sum + (one.account === account ? one.amount : 0), 0) -
    settled().reduce((sum, one) => sum + (one.account === account ? one.amount : 0), 0)
  const cut = async () => {
    const usdc = assetBytes(null)
    const held = [alice.address, bob.address]
      .map((account) => ({ holder: holderOf(sha256, SALT, hexBytes(account), usdc), amount: balanceOf(account) }))
      .filter(({ amount }) => amount > 0)
      .sort((a, b) => compareBytes(a.holder, b.holder))
    const leaves = new Uint8Array(held.length * RECORD_BYTES)
    for (const [index, { holder, amount }] of held.entries()) putRecord(leaves, index, holder, amount)
    const tree = held.length > 0 ? stateTree(sha256, [{ asset: usdc, leaves }]) : null
    const root = tree ? Buffer.from(tree.root).toString('hex') : '0'.repeat(64)
    const custody = held.reduce((sum, { amount }) => sum + amount, 0)
    const counts = { deposits: ledger.credits.size, payments: settled().length }
    newest = {
      n: ++n,
      seq: ++seq,
      at: 1,
      root,
      assets: tree ? 1 : 0,
      custody,
      hash: 'ab'.repeat(32),
      weights: `0x${'00'.repeat(32)}`,
      ...counts,
      leaves,
    }
    return newest
  }
  const ask = (account: Hex, to: Hex, amount: number) =>
    ledger.asked.push({ ref: `w${ledger.asked.length}`, account, to, amount, seq: ++seq })
  const nodesAt = { nodes, confirmation, agreeAbove: 1e15 }
  /** One round of a settler, and blocks on top. */
  const round = async (work: { sweep?: Hex[]; wallets?: Hex[]; halted?: boolean } = {}) => {
    const at = (await confirmedBlock(nodes.any, confirmation)) as Confirmed
    const fees = { bumpMs: 60_000, feeCap: 10n ** 12n }
    const revised = (intent: Parameters<typeof withoutReturned>[1]) => withoutReturned(ledger, intent)
    const sent = await advanceOutbox(
      { node: nodes.any, clock: wallClock, signer: operator, store: outbox, chainId: CHAIN_ID, fees, revised },
      at.pin,
    )
    const watched = await watchDeposits({ ...nodesAt, store: deposits, ledger, vault })
    const paid = await stepPayments({ ...nodesAt, store: outbox, ledger, vault, operator: operator.address, never: [token] }, at, false)
    await compareVault(nodes.any, vault, token, at.pin)
    const source = { latest: async () => newest, cut }
    const roots = await stepRoots(
      {
        ...nodesAt,
        clock: { ...wallClock, now: () => at.head.at * 1000 },
        store: outbox,
        vault,
        operator: operator.address,
        source,
        every: 86_400_000,
      },
      at,
      paid.held.root > 0,
    )
    await stepSweep({ nodes, store: outbox, token, factory, minDeposit: 1_000_000 }, at, work.sweep ?? [])
    const wallets = await stepWallets({ nodes, store: outbox }, at, work.wallets ?? [])
    await anvil.ask('anvil_mine', '0x1')
    return { watched, paid, roots, wallets, sent }
  }
  const rounds = async (count: number, work = {}) => {
    for (let done = 1; done < count; done++) await round(work)
    return round(work)
  }
  return { ledger, ask, cut, round, rounds, balanceOf, root: () => newest! }
}

onAnvil('all contracts are deployed once, at the addresses that were known before', async () => {
  const world = { node: nodes.any, clock: wallClock, signer: operator, chainId: CHAIN_ID, patience: 30_000 }
  const states = async (dryRun: boolean) => new Set((await deployContracts({ ...world, dryRun }, steps)).map(({ state }) => state))
  expect(await states(true)).toEqual(new Set(['missing']))
  expect(await states(false)).toEqual(new Set(['deployed']))
  expect(await states(false)).toEqual(new Set(['there']))
  const forged = steps.map((step) => ({ ...step, address: alice.address }))
  await expect(deployContracts({ ...world, dryRun: true }, forged)).rejects.toThrow('would be at')
})

onAnvil('a Safe stands where it was foretold, and its owner alone owns it', async () => {
  const { safe, safeProxyFactory, fallbackHandler } = addresses
  expect({ safe, safeProxyFactory, fallbackHandler }).toEqual(SAFE_CONTRACTS)
  const one = exchange()
  const { wallets } = await one.rounds(5, { wallets: [alice.address] })
  expect(wallets.deployed).toEqual([alice.address])
  const [owners, threshold] = await nodes.any.call(
    (['getOwners', 'getThreshold'] as const).map((functionName) => ({
      to: lower(proxyWalletOf(alice.address)),
      data: encodeFunctionData({ abi: safeAbi, functionName }),
    })),
    (await nodes.any.block('latest'))!,
  )
  expect([BigInt(owners!.slice(0, 66)), BigInt(`0x${owners!.slice(66, 130)}`), `0x${owners!.slice(-40)}`, BigInt(threshold!)]).toEqual([
    32n,
    1n,
    alice.address,
    1n,
  ])
})

onAnvil(
  'money goes in by deposit and by plain transfer, out by payment, through re-organisations, and at the end without the operator',
  async () => {
    const one = exchange()
    for (const member of [alice, bob]) {
      await anvil.send(member, token, onToken('mint', member.address, 100_000_000n))
      await anvil.send(member, token, onToken('approve', vault.address, 100_000_000n))
    }
    await anvil.send(alice, vault.address, onVault('deposit', alice.address, 60_000_000n))
    const [bobs] = await depositAddresses(nodes.any, factory, [bob.address], (await nodes.any.block('latest'))!)
    // Computed before anything was deployed there, and what the factory answers: no member is shown an address that cannot be swept.
    expect([lower(depositorFactoryOf(vault.address)), lower(depositAddressOf(vault.address, bob.address))]).toEqual([factory, bobs])
    await anvil.send(bob, token, onToken('transfer', bobs, 40_000_000n))
    await one.rounds(8, { sweep: [alice.address, bob.address] })
    expect([one.balanceOf(alice.address), one.balanceOf(bob.address)]).toEqual([60_000_000, 40_000_000])

    one.ask(alice.address, alice.address, 10_000_000)
    one.ask(bob.address, bob.address, 5_000_000)
    await one.rounds(12)
    expect(one.ledger.ended).toEqual(
      new Map([
        ['w0', 'settled'],
        ['w1', 'settled'],
      ]),
    )

    // Above the confirmations: what was paid is undone, and the same bytes pay it again.
    one.ask(bob.address, bob.address, 3_000_000)
    await one.rounds(9)
    expect(one.ledger.ended.get('w2')).toBe('settled')
    await anvil.ask('anvil_reorg', 6, [])
    const reopened: number[] = []
    for (let done = 0; done < 9; done++) reopened.push(...(await one.round()).sent.reopened)
    expect(reopened.length).toBeGreaterThan(0)
    const state = async () => vaultState(nodes.any, vault, (await nodes.any.block('latest'))!)
    expect(await state()).toMatchObject({ deposits: 2, payments: 3, depositTotal: 100_000_000, paymentTotal: 18_000_000 })

    await leave(one)
  },
)

/** The operator is gone: a demand is refuted or not, the vault freezes, both members take everything. */
async function leave(one: ReturnType<typeof exchange>): Promise<void> {
  const usdc = assetBytes(null)
  await one.cut()
  await one.rounds(8)
  const { leaves, seq } = one.root()
  const head = async () => (await nodes.any.block('latest'))!
  expect((await vaultState(nodes.any, vault, await head())).root).toMatchObject({ seq, payments: 3, deposits: 2 })
  const tree = { leaves, place: 0, top: [] }
  const holders = [alice, bob].map(({ address }) => bytesHex(holderOf(sha256, SALT, hexBytes(address), usdc)))
  expect(refuteData(sha256, { account: alice.address, holder: holders[0]!, amount: 50_000_000 }, tree)).toBeNull()
  const demands = [
    [alice, holders[0]!],
    [bob, `0x${'00'.repeat(32)}`],
  ] as const
  for (const [member, holder] of demands) {
    await anvil.send(member, vault.address, onVault('demand', 50_000_001n, holder))
    await one.rounds(1)
  }
  await anvil.ask('evm_increaseTime', 2 * 86_400)
  await one.rounds(6)
  const later = { ...tree, leaves: one.root().leaves }
  for (const [member, holder] of demands) {
    const data = refuteData(sha256, { account: member.address, holder, amount: 50_000_001 }, later)
    await anvil.send(operator, vault.address, data!)
  }
  const [open] = await nodes.any.call([{ to: vault.address, data: onVault('demandOf', bob.address) }], await head())
  expect(BigInt(open!)).toBe(0n)

  await anvil.ask('evm_increaseTime', 8 * 86_400)
  await anvil.send(bob, vault.address, onVault('freeze'))
  const { records } = stateTree(sha256, [{ asset: usdc, leaves: later.leaves }]).assets[0]!
  const count = later.leaves.length / RECORD_BYTES
  for (const [at, member] of [alice, bob].entries()) {
    const index = Array.from({ length: count }, (_, row) => bytesHex(recordAt(later.leaves, row).hash)).indexOf(holders[at]!)
    const path = pathOf(sha256, records, count, index).map(({ hash, sum }) => ({
      hash: Buffer.from(hash).toString('hex'),
      sum: String(sum),
    }))
    const amount = String(recordAt(later.leaves, index).sum)
    const proof = { market: null, outcome: null, amount, index, holders: count, path, place: 0, top: [] }
    await anvil.send(member, vault.address, exitData(Buffer.from(SALT).toString('hex'), proof, member.address))
  }
  const [left] = await nodes.any.call([{ to: token, data: onToken('balanceOf', vault.address) }], await head())
  expect(BigInt(left!)).toBe(0n)
}

onAnvil('a deposit that a deep re-organisation removed stops the crediting until the chain has it again', async () => {
  const fresh = await startAnvil()
  try {
    for (const { address } of [operator, alice]) await fresh.ask('anvil_setBalance', address, '0x8ac7230489e80000')
    await deployContracts(
      { node: fresh.node, clock: wallClock, signer: operator, chainId: CHAIN_ID, patience: 30_000, dryRun: false },
      steps,
    )
    await fresh.send(alice, token, onToken('mint', alice.address, 100_000_000n))
    await fresh.send(alice, token, onToken('approve', vault.address, 100_000_000n))
    await fresh.ask('anvil_mine', '0x5')
    const world = {
      nodes: { any: fresh.node, both: fresh.node },
      store: memoryDeposits(),
      ledger: memoryLedger(),
      vault,
      confirmation,
      agreeAbove: 1e15,
    }
    await fresh.send(alice, vault.address, onVault('deposit', alice.address, 60_000_000n))
    expect((await watchDeposits(world)).pending).toHaveLength(1)
    await fresh.ask('anvil_mine', '0x2')
    expect((await watchDeposits(world)).credited).toHaveLength(1)
    await fresh.ask('anvil_reorg', 4, [])
    await expect(watchDeposits(world)).rejects.toMatchObject({ name: 'Halt', reason: 'deposit_lost' })
    await fresh.send(alice, vault.address, onVault('deposit', alice.address, 60_000_000n))
    await fresh.ask('anvil_mine', '0x2')
    expect(await watchDeposits(world)).toMatchObject({ credited: [] })
    expect(world.ledger.credits.size).toBe(1)
  } finally {
    await fresh.stop()
  }
})
