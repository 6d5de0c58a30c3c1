import { deployContracts } from '@augury/chain/deploy'
import type { Signer } from '@augury/chain/ports'
import { keySigner } from '@augury/chain/sign'
import { depositAddresses } from '@augury/chain/sweep'
import { balancesOf } from '@augury/chain/token'
import { readVault, vaultState } from '@augury/chain/vault'
import { wallClock } from '@augury/chain/wall-clock'
import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import type { DeploymentStep } from '@augury/contracts/deployment'
import { abi as timelockAbi } from '@augury/contracts/generated/timelock-controller'
import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import { openPlatform } from '@augury/platform/site/platform'
import { settlerSettings } from '@augury/settings/env'
import { sha256 } from '@augury/signing/sha256'
import { assetBytes, bytesHex, hexBytes, holderOf } from '@augury/signing/state-tree'
import { type ClobServerProcess, startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase, migratedDatabase } from '@augury/testing/database'
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CHAIN_ID, onToken, onVault, startAnvil, testDeployment } from '../../../packages/chain/test/anvil.ts'
import { openLease } from '../src/lease.ts'
import { needsOf, openWorld } from '../src/open-world.ts'
import { openRounds, type Round } from '../src/round.ts'
import type { World } from '../src/world.ts'

const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`
export const MANAGER = privateKeyToAccount(keyOf('01'))
export const OPERATOR_KEY = keyOf('a1')
export const operator = keySigner(OPERATOR_KEY)
export const ALICE = privateKeyToAccount(keyOf('b2'))
export const [alice, bob] = [keySigner(keyOf('b2')), keySigner(keyOf('c3'))] as [Signer, Signer]

const lower = (address: Hex) => address.toLowerCase() as Hex
/** Contracts of a scene: with a TestUSDC, or with another token. */
export function contractsOf(other?: DeploymentStep) {
  const roles = { operator: operator.address, guardian: bob.address }
  const { addresses, steps } = testDeployment({ ...roles, ...(other && { token: other.address }) })
  return {
    steps: other ? [other, ...steps] : steps,
    token: lower(addresses.token),
    vault: lower(addresses.vault),
    factory: lower(addresses.depositorFactory),
    timelock: addresses.timelock,
  }
}
const usual = contractsOf()
export const { token, vault } = usual

/** A settler of the test: its rounds are asked for one by one. */
export interface TestSettler {
  world: World
  round(): Promise<Round>
  /** Rounds until something holds. */
  until(holds: (round: Round) => unknown): Promise<Round>
  /** Gives up the lease. */
  release(): Promise<void>
}

/** A real exchange, a real database, a real chain, and settlers on them. */
export async function openScene(
  environment: Record<string, string> = {},
  ofExchange: Record<string, string> = { REQUIRE_PROXY_WALLET: '1' },
  { steps, token, vault, factory, timelock } = usual,
) {
  const anvil = await startAnvil()
  for (const { address } of [operator, alice, bob]) await anvil.ask('anvil_setBalance', address, '0x8ac7230489e80000')
  await deployContracts({ node: anvil.node, clock: wallClock, signer: operator, chainId: CHAIN_ID, patience: 30_000, dryRun: false }, steps)
  const program = {
    databaseUrl: await durableDatabase('clob', migrateClob),
    operator: MANAGER.address,
    environment: { CHAIN_ID: String(CHAIN_ID), PROOF_EVERY: '3600', ...ofExchange },
  }
  const exchange = await startClobServerProcess(program)
  let again: ClobServerProcess | null = null
  /** Does something while the exchange is stopped. */
  async function withoutExchange(work: () => Promise<void>): Promise<void> {
    await exchange.stop()
    await work()
    again = await startClobServerProcess({ ...program, port: Number(new URL(exchange.url).port), dataDir: exchange.dataDir })
  }
  const databaseUrl = await migratedDatabase('platform', migratePlatform)
  const programEnvironment = {
    MODE: 'sandbox',
    SETTLEMENT: 'chain',
    DATABASE_URL: databaseUrl,
    CLOB_URL: exchange.url,
    PUBLIC_CLOB_URL: exchange.url,
    CHAIN_ID: String(CHAIN_ID),
    RPC_URL: anvil.url,
    VAULT_ADDRESS: vault,
    COLLATERAL_ADDRESS: token,
    SETTLER_KEY: OPERATOR_KEY,
    SETTLER_WALLET_KEY: keyOf('01'),
    ...environment,
  }
  const settings = settlerSettings(programEnvironment)
  const platforms = [await openPlatform(databaseUrl)]
  const [platform] = platforms as [Awaited<ReturnType<typeof openPlatform>>]
  const apiKey = await createApiKey({ url: exchange.url, wallet: MANAGER, nonce: 9n, scope: 'venue' })
  const manager: VenueClient = venueClient({ url: exchange.url, apiKey })
  const rows = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => platform.em().execute(sql, values)
  const balanceOf = async (owner: Hex) => (await balancesOf(anvil.node, token, [owner], (await anvil.node.block('latest'))!))[0]!

  /** Opens a settler; `changed` wraps what it works with. */
  async function settler(holder: string, changed: (world: World) => World = (world) => world): Promise<TestSettler> {
    const own = await openPlatform(databaseUrl)
    platforms.push(own)
    const lease = openLease(own, holder)
    if (!(await lease.take())) throw new Error('another settler has the lease')
    const world = changed(await openWorld(settings, needsOf(settings), own, lease.fenced))
    const round = openRounds(world, lease.take, new AbortController().signal)
    const until: TestSettler['until'] = async (holds) => {
      for (let count = 0; count < 60; count++) {
        const found = await round()
        if (await holds(found)) return found
      }
      throw new Error(`it never was so: ${JSON.stringify((await round()).status)}`)
    }
    return { world, round, until, release: lease.release }
  }

  /** Mints for a member, who deposits it. */
  async function deposit(member: Signer, amount: number): Promise<void> {
    await anvil.send(member, token, onToken('mint', member.address, BigInt(amount)))
    await anvil.send(member, token, onToken('approve', vault, BigInt(amount)))
    await anvil.send(member, vault, onVault('deposit', member.address, BigInt(amount)))
  }

  /** A member's withdrawal as the site passes it on. Returns its reference. */
  async function withdraw({ address }: Signer, amount: number, to: Hex): Promise<string> {
    const code = address.slice(2, 10)
    await rows('insert into users (address, affiliate_code) values (?, ?) on conflict do nothing', [address, code])
    const [{ id }] = (await rows<{ id: string }>(
      `insert into withdrawal (user_id, address, destination, amount, status, created_at, updated_at)
       select id, address, ?, ?, 'sent', now(), now() from users where address = ? returning id`,
      [to, amount, address],
    )) as [{ id: string }]
    const ref = `withdrawal-${id}`
    await manager.withdraw({ body: { address, amount: String(amount), ref } })
    return ref
  }

  /** Amount of a member's open demand; 0 without one. */
  const demandOf = async ({ address }: Signer): Promise<number> => {
    const at = (await anvil.node.block('latest'))!
    const [answer] = await readVault(anvil.node, { chainId: CHAIN_ID, address: vault, block: 0 }, [['demandOf', address]], at)
    return Number((answer as readonly unknown[])[0])
  }

  /** Ends a pause of the vault, which its timelock alone may do. */
  async function unpause(): Promise<void> {
    const call = [vault, 0n, onVault('unpause'), zeroHash, zeroHash] as const
    const schedule = encodeFunctionData({ abi: timelockAbi, functionName: 'schedule', args: [...call, 60n] })
    await anvil.send(bob, timelock, schedule)
    await anvil.ask('evm_increaseTime', 61)
    await anvil.ask('anvil_mine', '0x1')
    await anvil.send(bob, timelock, encodeFunctionData({ abi: timelockAbi, functionName: 'execute', args: call }))
  }

  /** A member's pseudonym among the holders of USDC. */
  async function holder(wallet: PrivateKeyAccount): Promise<Hex> {
    const apiKey = await createApiKey({ url: exchange.url, wallet, nonce: 1n })
    const { salt } = await venueClient({ url: exchange.url, apiKey }).getBalanceProof()
    return bytesHex(holderOf(sha256, hexBytes(`0x${salt}`), hexBytes(wallet.address.toLowerCase() as Hex), assetBytes(null)))
  }

  const credited = async (): Promise<{ address: string; amount: string }[]> => (await manager.listDeposits()).data
  const stepsOf = async (): Promise<string[]> => (await manager.listWithdrawals()).data.map(({ status }) => status)
  return {
    anvil,
    exchange,
    withoutExchange,
    unpause,
    programEnvironment,
    manager,
    rows,
    balanceOf,
    settler,
    deposit,
    withdraw,
    credited,
    demandOf,
    holder,
    stepsOf,
    depositAddress: async (account: Hex) =>
      (await depositAddresses(anvil.node, factory, [account], (await anvil.node.block('latest'))!))[0]!,
    vault: async () => vaultState(anvil.node, { chainId: CHAIN_ID, address: vault, block: 0 }, (await anvil.node.block('latest'))!),
    async close() {
      for (const one of platforms) await one.close()
      await again?.stop()
      await exchange.remove()
      await anvil.stop()
    },
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>
