import { deployContracts } from '@augury/chain/deploy'
import { keySigner } from '@augury/chain/sign'
import { depositLogs } from '@augury/chain/vault'
import { wallClock } from '@augury/chain/wall-clock'
import { deploymentOf } from '@augury/contracts/deployment'
import { ServiceError } from '@augury/wire/service-error'
import type { Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { CHAIN_ID, hasAnvil, startAnvil } from '../../chain/test/anvil.ts'
import { giveTestCoins } from '../src/portfolio/test-coins.ts'

const account = `0x${'a1'.repeat(20)}` as const
const other = `0x${'b2'.repeat(20)}` as const

test('a gift is deposited in the vault once, despite retries, and within the limit', async ({ annotate }) => {
  if (!hasAnvil()) return void (await annotate('npm has no Anvil for this platform'))
  const anvil = await startAnvil()
  afterAll(() => anvil.stop())
  const signer = keySigner('11'.repeat(32))
  await anvil.ask('anvil_setBalance', signer.address, '0x8ac7230489e80000')
  const roles = { operator: signer.address, guardian: other, proposers: [other] }
  const { addresses, steps } = deploymentOf({ ...roles, timelockDelay: 60n, limit: 1n, minDeposit: 1_000_000n, demandFee: 0n })
  await deployContracts({ node: anvil.node, clock: wallClock, signer, chainId: CHAIN_ID, dryRun: false, patience: 30_000 }, steps)

  const chain = { chainId: CHAIN_ID, rpcUrl: anvil.url, vault: addresses.vault, collateral: addresses.token }
  const give = (name: string, amount: number, spend: () => Promise<unknown> = async () => {}) =>
    giveTestCoins(chain, { account, name, amount }, spend)
  const refused = (code: string) => expect.objectContaining({ code })
  const [first, again, second] = await Promise.all([give('one', 5_000_000), give('one', 5_000_000), give('two', 7_000_000)])
  expect([again, await give('one', 5_000_000)]).toEqual([first, first])
  await expect(give('one', 6_000_000)).rejects.toEqual(refused('duplicate_ref'))
  await expect(give('dust', 999_999)).rejects.toEqual(refused('invalid_amount'))
  const limit = async () => Promise.reject(new ServiceError('faucet_limit'))
  await expect(give('three', 5_000_000, limit)).rejects.toEqual(refused('faucet_limit'))

  const vault = { chainId: CHAIN_ID, address: addresses.vault.toLowerCase() as Hex, block: 0 }
  const deposits = await depositLogs(anvil.node, vault, 0, (await anvil.node.block('latest'))!.number)
  expect(new Map(deposits.map((deposit) => [deposit.transaction, [deposit.account, deposit.amount]]))).toEqual(
    new Map([
      [first, [account, 5_000_000]],
      [second, [account, 7_000_000]],
    ]),
  )
  await anvil.stop()
  await expect(give('four', 5_000_000)).rejects.toEqual(refused('service_unavailable'))
})
