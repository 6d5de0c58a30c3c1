import { CREATE2_DEPLOYER, type DeploymentStep, SALT } from '@augury/contracts/deployment'
import { abi as factoryAbi } from '@augury/contracts/generated/depositor-factory'
import { bytecode, abi as moodyAbi } from '@augury/contracts/generated/moody-usdc'
import { concatHex, encodeFunctionData, getCreate2Address, type Hex } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { hasAnvil, onAnvil, onToken, onVault } from '../../../packages/chain/test/anvil.ts'
import { alice, bob, contractsOf, openScene, type Scene } from './scene.ts'

// A token that refuses addresses, senders that are contracts, accounts that are banned, an exchange that is away: nothing is lost.

const moody: DeploymentStep = {
  ...{ name: 'token', to: CREATE2_DEPLOYER, initCode: bytecode, data: concatHex([SALT, bytecode]) },
  address: getCreate2Address({ from: CREATE2_DEPLOYER, salt: SALT, bytecode }),
}
const contracts = contractsOf(moody)
const { token, vault, factory } = contracts
const CAROL: Hex = `0x${'ca'.repeat(20)}`
const STRANGER: Hex = `0x${'5e'.repeat(20)}`
const REFUSED: Hex = `0x${'bad0'.repeat(10)}`

let scene: Scene
beforeAll(async () => {
  if (hasAnvil()) scene = await openScene({}, {}, contracts)
})
afterAll(() => scene?.close())

const amountsOf = async (account: Hex): Promise<string[]> =>
  (await scene.credited()).filter(({ address }) => address.toLowerCase() === account).map(({ amount }) => amount)

onAnvil(
  'a destination that the token refuses fails alone: the others are paid, its member has the money back and names another',
  async () => {
    const settler = await scene.settler('refused')
    await scene.deposit(alice, 50_000_000)
    await scene.deposit(bob, 50_000_000)
    await settler.until(async () => (await scene.credited()).length === 2)
    await scene.anvil.send(bob, token, encodeFunctionData({ abi: moodyAbi, functionName: 'blacklist', args: [REFUSED] }))
    const refused = await scene.withdraw(alice, 9_000_000, REFUSED)
    await scene.withdraw(bob, 4_000_000, CAROL)
    const batch = await settler.until(({ paid }) => paid?.sent.length)
    expect(batch.paid?.sent).toHaveLength(2) // one transaction
    const ended = async () => (await scene.manager.listWithdrawals()).data.filter(({ status }) => status !== 'withdrawing')
    const { status } = await settler.until(async () => (await ended()).length === 2)
    expect((await ended()).map(({ status: how, amount }) => [how, amount]).toSorted()).toEqual([
      ['returned', '9000000'],
      ['settled', '4000000'],
    ])
    expect(status).toMatchObject({ halted: null, troubles: [], payments: 4_000_000 })
    expect([await scene.balanceOf(REFUSED), await scene.balanceOf(CAROL)]).toEqual([0, 4_000_000])
    expect(refused).not.toBe(await scene.withdraw(alice, 50_000_000, CAROL)) // all of it is there again
    await settler.until(async () => (await ended()).length === 3)
    expect(await scene.balanceOf(CAROL)).toBe(54_000_000)
    await settler.release()
  },
)

onAnvil('two deposits of one transaction, both from contracts, are two; dust waits at its address until more comes', async () => {
  const settler = await scene.settler('contracts')
  const [first, second] = [CAROL, STRANGER]
  for (const account of [first, second]) {
    await scene.rows('insert into chain.address (account) values (?)', [account])
    await scene.anvil.send(bob, token, onToken('mint', await scene.depositAddress(account), 400_000n))
  }
  const { watched, lying } = await settler.round()
  expect(watched?.credited).toEqual([])
  expect(lying.map(({ amount }) => amount)).toEqual([400_000, 400_000])
  expect(await scene.rows('select amount::int, n from chain.arrival order by account')).toEqual([
    { amount: 400_000, n: null },
    { amount: 400_000, n: null },
  ])
  // Another sender sweeps for both, in one transaction: the settler is not needed for that.
  for (const account of [first, second]) await scene.anvil.send(bob, token, onToken('mint', await scene.depositAddress(account), 700_000n))
  await scene.anvil.send(alice, factory, encodeFunctionData({ abi: factoryAbi, functionName: 'sweep', args: [[first, second]] }), 900_000)
  await settler.until(async () => (await amountsOf(second)).length === 1)
  expect([await amountsOf(first), await amountsOf(second)]).toEqual([['1100000'], ['1100000']])
  const stored = await scene.rows<{ transaction: Hex; sender: Hex }>(
    'select transaction, sender from chain.deposit order by n desc limit 2',
  )
  expect(new Set(stored.map(({ transaction }) => transaction)).size).toBe(1)
  expect(new Set(stored.map(({ sender }) => sender)).size).toBe(2) // the contracts at the two addresses
  expect(await scene.rows('select from chain.arrival')).toEqual([])
  await settler.release()
})

onAnvil('deposits for a banned account, for an address nobody knows, and during pauses are credited once', async () => {
  const settler = await scene.settler('paused')
  await scene.manager.setAccount({ params: { address: bob.address }, body: { banned: true } })
  await scene.manager.pauseVenue()
  await scene.anvil.send(bob, vault, onVault('pause'))
  const unknown: Hex = `0x${'0e'.repeat(20)}`
  const before = await amountsOf(bob.address)
  await scene.deposit(bob, 3_000_000)
  await scene.anvil.send(bob, token, onToken('mint', bob.address, 2_000_000n))
  await scene.anvil.send(bob, token, onToken('approve', vault, 2_000_000n))
  await scene.anvil.send(bob, vault, onVault('deposit', unknown, 2_000_000n))
  await settler.until(async () => (await amountsOf(unknown)).length === 1)
  expect([await amountsOf(bob.address), await amountsOf(unknown)]).toEqual([[...before, '3000000'], ['2000000']])
  for (let rounds = 0; rounds < 3; rounds++) await settler.round()
  expect(await amountsOf(unknown)).toEqual(['2000000'])

  // A withdrawal of the banned member waits while payments are paused; it is neither lost nor paid twice.
  await scene.manager.resumeVenue()
  await scene.withdraw(bob, 1_000_000, `0x${'b0'.repeat(20)}`)
  const { status } = await settler.until(({ status: now }) => now?.troubles.some(({ message }) => message.includes('IsPaused')))
  expect(status).toMatchObject({ paused: true, halted: null })
  await scene.unpause()
  await settler.until(async () => (await scene.balanceOf(`0x${'b0'.repeat(20)}`)) === 1_000_000)
  await scene.manager.setAccount({ params: { address: bob.address }, body: { banned: false } })
  await settler.release()
})

onAnvil('a deposit while the exchange is down is credited when it is back, once', async () => {
  const settler = await scene.settler('alone')
  const before = await amountsOf(alice.address)
  await scene.withoutExchange(async () => {
    await scene.deposit(alice, 6_000_000)
    const { troubles } = await settler.round()
    expect(troubles.map(({ step }) => step)).toContain('deposits')
  })
  await settler.until(async () => (await amountsOf(alice.address)).length > before.length)
  expect(await amountsOf(alice.address)).toEqual([...before, '6000000'])
  await settler.until(({ troubles }) => troubles.length === 0)
  expect(await amountsOf(alice.address)).toEqual([...before, '6000000'])
  await settler.release()
})

onAnvil('a withdrawal of a frozen vault waits: nothing is paid, its money stays in its member’s leaf', async () => {
  const settler = await scene.settler('frozen')
  await settler.until(({ outbox, root }) => outbox?.open === 0 && root?.waiting === 'none_new')
  await scene.anvil.ask('evm_increaseTime', 8 * 86_400)
  await scene.anvil.ask('anvil_mine', '0x1')
  await scene.anvil.send(bob, vault, onVault('freeze'))
  const { paymentTotal } = await scene.vault()
  await scene.withdraw(alice, 2_000_000, CAROL)
  const { status } = await settler.round()
  expect(status).toMatchObject({ frozen: true })
  for (let rounds = 0; rounds < 3; rounds++) await settler.round()
  expect(await scene.vault()).toMatchObject({ frozen: true, paymentTotal })
  expect((await scene.stepsOf()).at(-1)).toBe('withdrawing')
  await settler.release()
})
