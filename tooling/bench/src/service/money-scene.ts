import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { deployContracts } from '@augury/chain/deploy'
import { rpcNode } from '@augury/chain/node'
import type { Node, Signer } from '@augury/chain/ports'
import { keySigner } from '@augury/chain/sign'
import { balancesOf } from '@augury/chain/token'
import { type VaultState, vaultState } from '@augury/chain/vault'
import { wallClock } from '@augury/chain/wall-clock'
import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { deploymentOf, depositAddressOf } from '@augury/contracts/deployment'
import { foundryBinary } from '@augury/contracts/foundry'
import { abi as tokenAbi } from '@augury/contracts/generated/test-usdc'
import { abi as vaultAbi } from '@augury/contracts/generated/vault'
import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import { type Answered, type Asked, type Between, openBetween } from '@augury/testing/between'
import { type Child, startChild } from '@augury/testing/child-process'
import { type ClobServerProcess, startClobServerProcess } from '@augury/testing/clob-server-process'
import { query } from '@augury/testing/connection'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import type { ThrowawayServer } from '@augury/testing/throwaway-server'
import { LAST_CURSOR } from '@augury/wire/limits'
import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const CHAIN_ID = 31_337
const RICH = `0x${(10n ** 21n).toString(16)}`
const keyOf = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const MANAGER = privateKeyToAccount(keyOf(0xaa))
const OPERATOR_KEY = keyOf(0xa1)
export const OPERATOR = keySigner(OPERATOR_KEY)
export const GUARDIAN = keySigner(keyOf(0xa2))
const MEMBERS = Array.from({ length: 8 }, (_, n) => keySigner(keyOf(0xb0 + n)))
/** No limit of withdrawals stops a long run. */
const deployment = deploymentOf({
  ...{ operator: OPERATOR.address, guardian: GUARDIAN.address, proposers: [GUARDIAN.address], timelockDelay: 60n },
  ...{ limit: 10n ** 15n, minDeposit: 1_000_000n, demandFee: 0n },
})
const lower = (address: Hex) => address.toLowerCase() as Hex
export const [VAULT, TOKEN] = [lower(deployment.addresses.vault), lower(deployment.addresses.token)]
export const { addresses } = deployment

export const onVault = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi: vaultAbi, functionName, args } as never)
const onToken = (functionName: string, ...args: unknown[]): Hex => encodeFunctionData({ abi: tokenAbi, functionName, args } as never)

/** What stands between the settlers and their services; null for a request that is passed on as it is. */
export type Pass = (asked: Asked, forward: () => Promise<Answered>) => Promise<Answered | null>
const onward: Pass = (_, forward) => forward()

let scenes = 0

/** A real exchange, PostgreSQL and Anvil, and two settlers, of which one waits. */
export class MoneyScene {
  readonly databaseUrl: string
  readonly #exchange: ClobServerProcess
  readonly #port: number
  readonly #settings: Record<string, string>
  readonly #folder = temporaryFolder('anvil')
  readonly node: Node
  readonly manager: VenueClient
  #anvil: Child | null = null
  #settlers: Child[] = []
  #between: Between[] = []
  /** What happens to requests to the node and to the exchange. */
  passes = { node: onward, exchange: onward }
  /** Withdrawals: where they go, and how much. */
  readonly asked = new Map<Hex, number>()
  #turn = 0

  private constructor(
    databaseUrl: string,
    exchange: ClobServerProcess,
    manager: VenueClient,
    port: number,
    settings: Record<string, string>,
  ) {
    this.#settings = settings
    this.databaseUrl = databaseUrl
    this.#exchange = exchange
    this.manager = manager
    this.#port = port
    this.node = rpcNode({ url: `http://127.0.0.1:${port}`, clock: wallClock, fetch, timeout: 30_000 })
  }

  /** Starts everything, in new databases of a server; settlers get more settings. */
  static async open(postgres: ThrowawayServer, settings: Record<string, string> = {}): Promise<MoneyScene> {
    const [clob, platform] = [`money_clob_${++scenes}`, `money_platform_${scenes}`]
    for (const name of [clob, platform]) await query(postgres.url('postgres'), `create database ${name}`)
    await Promise.all([migrateClob(postgres.url(clob)), migratePlatform(postgres.url(platform))])
    const exchange = await startClobServerProcess({
      databaseUrl: postgres.url(clob),
      operator: MANAGER.address,
      environment: { CHAIN_ID: String(CHAIN_ID), PROOF_EVERY: '3600' },
    })
    const apiKey = await createApiKey({ url: exchange.url, wallet: MANAGER, nonce: 9n, scope: 'venue' })
    const manager = venueClient({ url: exchange.url, apiKey })
    const scene = new MoneyScene(postgres.url(platform), exchange, manager, await freePort(), settings)
    try {
      await scene.#begin()
    } catch (error) {
      await scene.close()
      throw error
    }
    return scene
  }

  async #begin(): Promise<void> {
    await this.startAnvil()
    for (const { address } of [OPERATOR, GUARDIAN, ...MEMBERS]) await this.ask('anvil_setBalance', address, RICH)
    const world = { node: this.node, clock: wallClock, signer: OPERATOR, chainId: CHAIN_ID, patience: 60_000, dryRun: false }
    await deployContracts(world, deployment.steps)
    for (const member of MEMBERS) {
      await this.send(member, TOKEN, onToken('mint', member.address, 10n ** 12n))
      await this.send(member, TOKEN, onToken('approve', VAULT, 10n ** 30n))
      const code = member.address.slice(2, 10)
      await query(this.databaseUrl, 'insert into users (address, affiliate_code) values ($1, $2)', [member.address, code])
      await query(this.databaseUrl, 'insert into chain.address (account) values ($1)', [member.address])
    }
    this.#between.push(await openBetween(`http://127.0.0.1:${this.#port}`, (...asked) => this.passes.node(...asked)))
    this.#between.push(await openBetween(this.#exchange.url, (...asked) => this.passes.exchange(...asked)))
    for (let n = 0; n < 2; n++) await this.startSettler()
    for (const member of MEMBERS) await this.deposit(member, 10_000_000_000)
  }

  /** Starts Anvil, or brings it back with what it wrote last. */
  async startAnvil(): Promise<void> {
    const flags = ['--host', '127.0.0.1', '--port', String(this.#port), '--chain-id', String(CHAIN_ID), '--hardfork', 'cancun', '--silent']
    const memory = [
      '--prune-history',
      '2000',
      '--slots-in-an-epoch',
      '1',
      '--state',
      join(this.#folder, 'state.json'),
      '--state-interval',
      '1',
    ]
    this.#anvil = startChild(foundryBinary('anvil')!, [...flags, ...memory], { env: { HOME: this.#folder } })
    while (!(await this.ask('eth_chainId').catch(() => null))) await wait(50)
  }

  /** Kills Anvil once its newest state is written. */
  async killAnvil(): Promise<void> {
    await wait(3_000)
    await this.#anvil?.stop('SIGKILL')
  }

  /** Starts one more settler. */
  async startSettler(): Promise<void> {
    const [rpc, clob] = this.#between
    const env = {
      ...{ MODE: 'sandbox', SETTLEMENT: 'chain', DATABASE_URL: this.databaseUrl, CHAIN_ID: String(CHAIN_ID), SETTLER_KEY: OPERATOR_KEY },
      ...{ CLOB_URL: clob!.url, PUBLIC_CLOB_URL: this.#exchange.url, RPC_URL: rpc!.url, VAULT_ADDRESS: VAULT, COLLATERAL_ADDRESS: TOKEN },
      ...{ SETTLER_WALLET_KEY: keyOf(0xaa), SETTLER_PORT: String(await freePort()) },
      ...this.#settings,
    }
    this.#settlers.push(startChild(process.execPath, ['src/main.ts'], { cwd: join(import.meta.dirname, '../../../../apps/settler'), env }))
  }

  /** Kills the settler that has the lease. The other takes over at once: the lease of the dead one is ended. */
  async killActive(): Promise<boolean> {
    const [row] = await query<{ holder: string }>(
      this.databaseUrl,
      `select value ->> 'holder' as holder from chain.cursor where name = 'lease'`,
    )
    const pid = Number(row?.holder.split(' ')[1])
    const active = this.#settlers.find((settler) => settler.pid === pid)
    if (!active) return false
    await active.stop('SIGKILL')
    this.#settlers = this.#settlers.filter((settler) => settler !== active)
    await query(this.databaseUrl, `delete from chain.cursor where name = 'lease' and value ->> 'holder' = $1`, [row!.holder])
    await this.startSettler()
    return true
  }

  /** Asks Anvil itself, past whatever stands between. */
  async ask(method: string, ...params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(`http://127.0.0.1:${this.#port}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Sends a transaction and waits for its block. */
  async send(signer: Signer, to: Hex, data: Hex): Promise<void> {
    const head = await this.head()
    const nonce = await this.node.nonce(signer.address, head)
    // The next block may ask for ten times as much, when a fault says so.
    const fees = { gas: 500_000, maxFee: 100n * head.baseFee + 10n, tip: 10n }
    await this.node.send(await signer.sign({ chainId: CHAIN_ID, nonce, to, data, ...fees }))
    while ((await this.node.nonce(signer.address, await this.head())) <= nonce) await wait(10)
  }

  head = async () => (await this.node.block('latest'))!
  /** The next member whose turn it is. */
  next = (): Signer => MEMBERS[this.#turn++ % MEMBERS.length]!
  deposit = (member: Signer, amount: number) => this.send(member, VAULT, onVault('deposit', member.address, BigInt(amount)))
  /** Sends deposits of all members in turn, without waiting for a block. */
  async deposits(count: number): Promise<void> {
    const head = await this.head()
    const fees = { gas: 300_000, maxFee: 100n * head.baseFee + 10n, tip: 10n }
    const nonces = await Promise.all(MEMBERS.map(({ address }) => this.node.nonce(address, head)))
    for (let n = 0; n < count; n++) {
      const at = n % MEMBERS.length
      const member = MEMBERS[at]!
      const data = onVault('deposit', member.address, 1_000_000n + BigInt(n))
      await this.node.send(await member.sign({ chainId: CHAIN_ID, nonce: nonces[at]!, to: VAULT, data, ...fees }))
      nonces[at]!++
    }
  }

  /** Sends coins to the member's deposit address. */
  transfer = ({ address }: Signer, amount: number) =>
    this.send(GUARDIAN, TOKEN, onToken('mint', depositAddressOf(VAULT, address), BigInt(amount)))

  /** A member's withdrawal, as the site passes it on, to an address of its own. */
  async withdraw({ address }: Signer, amount: number): Promise<void> {
    const to = keyOf(this.asked.size + 1).replace(/^0x0{24}/, '0xdead') as Hex
    const destination = `0x${to.slice(-40)}` as Hex
    const [row] = await query<{ id: string }>(
      this.databaseUrl,
      `insert into withdrawal (user_id, address, destination, amount, status, created_at, updated_at)
       select id, address, $1, $2, 'sent', now(), now() from users where address = $3 returning id`,
      [destination, amount, address],
    )
    this.asked.set(destination, amount)
    await this.manager.withdraw({ body: { address, amount: String(amount), ref: `withdrawal-${row!.id}` } })
  }

  vault = async (): Promise<VaultState> => vaultState(this.node, { chainId: CHAIN_ID, address: VAULT, block: 0 }, await this.head())

  /** Millionths that addresses hold. */
  balances = async (owners: readonly Hex[]): Promise<number[]> => balancesOf(this.node, TOKEN, owners, await this.head())

  /** Everything credited and withdrawn, from the exchange's log. */
  ledger = async () => ({
    credits: await whole(this.manager.listDeposits),
    steps: await whole(this.manager.listWithdrawals),
  })

  status = async () => (await query(this.databaseUrl, 'select status from chain.status'))[0]?.status

  /** Stops everything. */
  async close(): Promise<void> {
    await Promise.all(this.#settlers.map((settler) => settler.stop('SIGKILL')))
    for (const one of this.#between) one.close()
    await this.#anvil?.stop('SIGKILL')
    await this.#exchange.remove()
  }
}

/** All of a list of the log. */
async function whole<Row>(
  list: (input: { query: { after: number; limit: number } }) => Promise<{ data: Row[]; seq: number; next_cursor: string }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = 0; ; ) {
    const { data, seq, next_cursor } = await list({ query: { after, limit: 100 } })
    rows.push(...data)
    if (next_cursor === LAST_CURSOR) return rows
    after = seq
  }
}
