import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { migrateClob } from '@augury/domain/clob/database'
import { type Child, startChild } from '@augury/testing/child-process'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { query } from '@augury/testing/connection'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import { MICROS } from '@augury/units/usdc'
import { type ServiceStatus, serviceStatus } from '@augury/wire/service-status'
import { privateKeyToAccount } from 'viem/accounts'
import { Trader } from './trader.ts'

const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts')
const HONO_SERVER = join(import.meta.dirname, 'hono-server.ts')
const MEMORY_SERVER = join(import.meta.dirname, 'memory-server.ts')
const WS_SERVER = join(import.meta.dirname, 'ws-server.ts')
/** Files of PostgreSQL's log that stand ready, as on a server that has run for a while: as many as it keeps. */
const LOG_FILES = 64
const TRADERS = 16
const GIVEN_USDC = 100_000
/** Number of the wallet of who is none of them. */
const STRANGER = 1000
const wallet = (n: number) => privateKeyToAccount(`0x${n.toString(16).padStart(64, '0')}`)

/** A market of the scene by its tokens. */
export interface Market {
  condition: string
  yes: string
  no: string
}

/** A program of the scene: where it listens, and whose processor time is measured. */
export interface Program extends Child {
  port: number
}

/** The real program over a PostgreSQL of its own whose durability is on, and traders whom no budget holds up. */
export class VenueScene {
  readonly databaseUrl: string
  readonly #postgres: ThrowawayServer
  readonly #dataDir = temporaryFolder('bench')
  readonly #children = new Set<Child>()
  #server: Program | null = null
  #operator: Trader | null = null
  readonly #markets: Market[] = []
  traders: Trader[] = []

  private constructor(postgres: ThrowawayServer) {
    this.#postgres = postgres
    this.databaseUrl = postgres.url('clob')
  }

  /** Starts everything. `traders` has sixteen accounts with 100 000 USDC each. */
  static async open(): Promise<VenueScene> {
    const scene = new VenueScene(await startThrowawayServer({ durable: true }))
    try {
      await scene.#readyLog()
      await query(scene.#postgres.url('postgres'), 'create database clob')
      await migrateClob(scene.databaseUrl)
      await scene.#startServer()
      scene.#operator = await Trader.of(scene.url, wallet(1), 'venue')
      for (let n = 0; n < TRADERS; n++) scene.traders.push(await scene.#admit(n + 2))
    } catch (error) {
      await scene.close()
      throw error
    }
    return scene
  }

  /**
   * On a new server a commit waits, every few seconds, until the next file of its log is filled with zeros; later it is an old one. Only what
   * lies between two checkpoints makes a new file, so there is none meanwhile.
   */
  async #readyLog(): Promise<void> {
    const admin = this.#postgres.url('postgres')
    const setting = async (change: string) => {
      await query(admin, `alter system ${change}`)
      await query(admin, 'select pg_reload_conf()')
    }
    await setting("set max_wal_size = '8GB'")
    // Each in a statement of its own: a file without a record in it is not left.
    for (let n = 0; n < LOG_FILES; n++) await query(admin, "select pg_logical_emit_message(false, 'bench', ''); select pg_switch_wal()")
    await setting('reset max_wal_size')
    await query(admin, 'checkpoint')
    const [log] = await query<{ files: number }>(admin, 'select count(*)::int as files from pg_ls_waldir()')
    if (log!.files < LOG_FILES) throw new Error(`${log!.files} files of the log stand ready, not ${LOG_FILES}`)
  }

  get server(): Program {
    if (!this.#server) throw new Error('the server does not run')
    return this.#server
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}`
  }

  async #startServer(): Promise<void> {
    const server = await startClobServerProcess({
      databaseUrl: this.databaseUrl,
      operator: wallet(1).address,
      dataDir: this.#dataDir,
      // Public routes are asked in the names of many addresses.
      environment: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' },
    })
    this.#keep(server)
    this.#server = { ...server, port: Number(new URL(server.url).port) }
  }

  /** Starts a bare `node:http` server: one that answers 2 KB, or one that writes out a sample of books for each request. */
  startBare(kind: 'bare' | 'stringify', sample?: string): Promise<Program> {
    return this.#listening([BARE_SERVER, kind, ...(sample === undefined ? [] : [sample])])
  }

  /** Starts a server of hono that answers what the bare one does. */
  startHono(): Promise<Program> {
    return this.#listening([HONO_SERVER])
  }

  /** Starts an exchange without a journal, in which the scene's traders buy of one market. */
  startMemory({ yes }: Market): Promise<Program> {
    return this.#listening([MEMORY_SERVER, JSON.stringify(this.traders.map(({ account, key }) => ({ account, secret: key.secret }))), yes])
  }

  /** Starts a server that tells all its sockets what is posted to it, by `ws.send`. */
  startWs(): Promise<Program> {
    return this.#listening([WS_SERVER])
  }

  async #listening(args: string[]): Promise<Program> {
    const child = startChild(process.execPath, args)
    this.#keep(child)
    const [, port] = await child.waitFor(/listening on (\d+)/)
    return { ...child, port: Number(port) }
  }

  /** Registers a market with ticks of 0.001. */
  async market(slug: string): Promise<Market> {
    const market = await registerMarket(this.#operator!, this.url, slug)
    this.#markets.push(market)
    return market
  }

  /** Position of the last applied command. */
  async seq(): Promise<number> {
    return (await this.#status()).seq
  }

  /** Resolves when history has every applied command. */
  async historyIsWhole(): Promise<void> {
    for (;;) {
      const { seq, projected_seq } = await this.#status()
      if (projected_seq >= seq) return
      await setTimeout(100)
    }
  }

  /** Throws unless what was given is still there: cash, and one USDC behind every pair of shares. */
  async checkLedger(): Promise<void> {
    const sum = async (query: string) => {
      const answers = await Promise.all(this.traders.map((trader) => trader.call(this.url, 'GET', `/balance-allowance?${query}`)))
      return answers.reduce((total, { balance }) => total + Number(balance), 0)
    }
    let total = await sum('asset_type=COLLATERAL')
    for (const { yes, no } of this.#markets) {
      const [pairs, others] = [await sum(`asset_type=CONDITIONAL&token_id=${yes}`), await sum(`asset_type=CONDITIONAL&token_id=${no}`)]
      if (pairs !== others) throw new Error(`there are ${pairs} of Yes and ${others} of No`)
      total += pairs
    }
    if (total !== TRADERS * GIVEN_USDC * MICROS) throw new Error(`the accounts have ${total} in all, not what they were given`)
  }

  /** Ends everything and removes what it wrote. */
  async close(): Promise<void> {
    await Promise.all([...this.#children].map((child) => child.stop('SIGKILL')))
    await this.#postgres.remove()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  async #status(): Promise<ServiceStatus> {
    return serviceStatus.parse(await (await fetch(`${this.url}/status`)).json())
  }

  async #admit(n: number): Promise<Trader> {
    const trader = await this.stranger(n)
    await this.#operator!.call(this.url, 'PUT', `/operator/accounts/${trader.account}`, { tier: 'internal' })
    return trader
  }

  /** A trader with as much money, whom budgets hold up as everybody. */
  async stranger(n = STRANGER): Promise<Trader> {
    const trader = await Trader.of(this.url, wallet(n))
    const body = JSON.stringify({ address: trader.account, amount: String(GIVEN_USDC) })
    const reply = await fetch(`${this.url}/sandbox/faucet`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    if (reply.status !== 200) throw new Error(`no money: ${await reply.text()}`)
    return trader
  }

  /** Ends with the scene. */
  #keep(child: Child): void {
    this.#children.add(child)
    child.ended.then(() => this.#children.delete(child))
  }
}

/** Registers a market with ticks of 0.001, and taker fees if given. */
export async function registerMarket(operator: Trader, url: string, slug: string, { feeBps = 0 } = {}): Promise<Market> {
  const { condition_id: condition, tokens } = await operator.call(url, 'POST', '/operator/conditions', {
    ...conditionRequest(slug),
    tick_size: '0.001',
    fee_rate_bps: feeBps,
  })
  return { condition, yes: tokens[0].token_id, no: tokens[1].token_id }
}
