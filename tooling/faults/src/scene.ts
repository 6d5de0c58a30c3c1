import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { migrateClob } from '@augury/domain/clob/database'
import { startChild } from '@augury/testing/child-process'
import { type ClobServerProcess, startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { query } from '@augury/testing/connection'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import { privateKeyToAccount } from 'viem/accounts'
import { type Floor, Load } from './load.ts'
import { answered, type Reply, send, Trader } from './trader.ts'

const GIVEN_USDC = '50000'
const wallet = (key: string) => privateKeyToAccount(`0x${key}`)
const operator = wallet('01'.repeat(32))
const walletOf = (name: string) => wallet(createHash('sha256').update(name).digest('hex'))
const clobServer = join(import.meta.dirname, '../../../apps/clob-server')

/** Timeout of setup requests in milliseconds: nothing fails around them, so there will be an answer however busy the machine is. */
const NEWCOMER_PATIENCE = 60_000

/** A market and its tokens. */
export interface Market extends Pick<Floor, 'yes' | 'no'> {
  condition: string
}

/** An exchange of real programs on a durable PostgreSQL of its own, with a market. */
export class Scene {
  readonly postgres: ThrowawayServer
  readonly databaseUrl: string
  readonly #ports: readonly [number, number]
  #dataDir: string
  #writer: ClobServerProcess | null = null
  #standby: ClobServerProcess | null = null
  #market: Market | null = null
  #operator: Trader | null = null
  #loads = 0
  #newcomers = 0
  #gifts = 0

  private constructor(postgres: ThrowawayServer, dataDir: string, ports: [number, number]) {
    this.postgres = postgres
    this.databaseUrl = postgres.url('clob')
    this.#dataDir = dataDir
    this.#ports = ports
  }

  /** Starts everything but a standby. Data goes to the temp folder, or to `under`. */
  static async open(under?: string): Promise<Scene> {
    const postgres = await startThrowawayServer({ durable: true, ...(under === undefined ? {} : { under }) })
    const dataDir = under === undefined ? temporaryFolder('faults') : mkdtempSync(join(under, 'data-'))
    const scene = new Scene(postgres, dataDir, [await freePort(), await freePort()])
    try {
      await query(postgres.url('postgres'), 'create database clob')
      await migrateClob(scene.databaseUrl)
      await scene.start()
      scene.#market = await scene.openMarket('breaking')
    } catch (error) {
      await scene.close()
      throw error
    }
    return scene
  }

  /** The process that writes. */
  get writer(): ClobServerProcess {
    if (!this.#writer) throw new Error('there is no writer')
    return this.#writer
  }

  /** Where clients may send requests: the port of the writer, and of the standby. */
  get urls(): readonly string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`)
  }

  /** Starts the writer on the former one's port and data; optionally with another port of the database or more settings. */
  async start(how: { databasePort?: number; environment?: Record<string, string> } = {}): Promise<void> {
    this.#writer = await this.#run(false, how)
  }

  /** Starts a standby beside the writer. */
  async startStandby(): Promise<ClobServerProcess> {
    this.#standby = await this.#run(true)
    return this.#standby
  }

  /** Kills the writer at once, as a power cut would. */
  async kill(): Promise<void> {
    await this.writer.stop('SIGKILL')
    this.#writer = null
  }

  /** Whether the writer has ended by itself. */
  async hasEnded(): Promise<boolean> {
    const ended = await Promise.race([this.writer.ended.then(() => true), setImmediate(false)])
    if (ended) this.#writer = null
    return ended
  }

  /** Declares the standby the writer. */
  promoted(): void {
    this.#writer = this.#standby
    this.#standby = null
  }

  /** Starts clients that trade with money of their own, and rest after each order. */
  async trade(restMs = 0): Promise<Load> {
    const name = `load-${this.#loads++}`
    const { url } = this.writer
    const traders: Trader[] = []
    for (const who of ['one', 'other']) {
      const trader = await Trader.of(url, walletOf(`${name} ${who}`))
      const { status, body } = await send(
        url,
        'POST',
        '/sandbox/faucet',
        JSON.stringify({ address: trader.key.address, amount: GIVEN_USDC }),
      )
      if (status !== 200) throw new Error(`no money: ${JSON.stringify(body)}`)
      traders.push(trader)
    }
    const load = new Load(name, { ...this.market, traders, given: traders.length * Number(GIVEN_USDC) * 1_000_000 }, this.urls)
    load.start(restMs)
    return load
  }

  /** A new trader without rate limits, with so many USDC. */
  async newcomer(usdc: number): Promise<Trader> {
    const { url } = this.writer
    const trader = await Trader.of(url, walletOf(`newcomer-${this.#newcomers++}`), 'trade', NEWCOMER_PATIENCE)
    await this.give(trader, usdc)
    await this.ask('PUT', `/operator/accounts/${trader.key.address}`, { tier: 'internal' })
    return trader
  }

  /** Deposits USDC. */
  async give({ key }: Trader, usdc: number): Promise<void> {
    const ref = `0x${createHash('sha256')
      .update(`gift-${this.#newcomers}-${this.#gifts++}`)
      .digest('hex')}`
    await this.ask('POST', '/operator/deposits', { address: key.address, amount: String(usdc * 1_000_000), ref })
  }

  /** A request of the venue's operator that must succeed. */
  async ask(method: string, target: string, value: object): Promise<Reply['body']> {
    const operator = await this.operator()
    const { status, body } = await answered(() => operator.call(this.writer.url, method, target, value))
    if (status !== 200) throw new Error(`${method} ${target} is answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** The venue's operator. */
  async operator(): Promise<Trader> {
    this.#operator ??= await Trader.of(this.writer.url, operator, 'venue', NEWCOMER_PATIENCE)
    return this.#operator
  }

  /** The market that is traded. */
  get market(): Market {
    if (!this.#market) throw new Error('there is no market yet')
    return this.#market
  }

  /** Opens a market, or finds the one of that name. */
  async openMarket(name: string): Promise<Market> {
    const { condition_id: condition, tokens } = await this.ask('POST', '/operator/conditions', conditionRequest(name))
    const [yes, no] = tokens.map((token: { token_id: string }) => token.token_id)
    return { condition, yes, no }
  }

  /** Replaces the database by a new one prepared by `make`, and the data folder by an empty one. There must be no writer. */
  async replace(make: (databaseUrl: string) => Promise<void>): Promise<void> {
    const postgres = this.postgres.url('postgres')
    await query(postgres, 'drop database clob with (force)')
    await query(postgres, 'create database clob')
    await make(this.databaseUrl)
    rmSync(this.#dataDir, { recursive: true, force: true })
    this.#dataDir = temporaryFolder('faults')
    this.#operator = null
    await this.start()
    this.#market = await this.openMarket('breaking')
  }

  /** Runs `accept-restored`: the database is right, whatever the data folder has seen. */
  async acceptRestored(): Promise<void> {
    const env = { CLOB_DATABASE_URL: this.databaseUrl, DATA_DIR: this.#dataDir }
    const program = startChild(process.execPath, ['src/accept-restored.ts'], { cwd: clobServer, env })
    if ((await program.ended) !== 0) throw new Error(`accept-restored failed: ${program.output()}`)
  }

  /** Rows of a query, on a connection of its own. */
  query(text: string): Promise<Record<string, unknown>[]> {
    return query(this.databaseUrl, text)
  }

  /** Stops everything and removes its data. */
  async close(): Promise<void> {
    await Promise.all([this.#writer?.stop('SIGKILL'), this.#standby?.stop('SIGKILL')])
    await this.postgres.remove()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  #run(standby: boolean, { databasePort, environment = {} }: Parameters<Scene['start']>[0] = {}): Promise<ClobServerProcess> {
    const port = this.#ports[standby ? 1 : 0]!
    const url = new URL(this.databaseUrl)
    if (databasePort !== undefined) url.port = String(databasePort)
    return startClobServerProcess({ databaseUrl: url.href, environment, operator: operator.address, port, dataDir: this.#dataDir, standby })
  }
}
