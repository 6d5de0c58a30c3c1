import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { startChild } from '@augury/testing/child-process'
import { type ClobServerProcess, startClobServerProcess } from '@augury/testing/clob-server-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import pg from 'pg'
import { privateKeyToAccount } from 'viem/accounts'
import { type Floor, Load } from './load.ts'
import { type Reply, send, Trader } from './trader.ts'

const GIVEN_USDC = '50000'
const wallet = (key: string) => privateKeyToAccount(`0x${key}`)
const operator = wallet('01'.repeat(32))
const walletOf = (name: string) => wallet(createHash('sha256').update(name).digest('hex'))
const clobServer = join(import.meta.dirname, '../../../apps/clob-server')

/** A market and its tokens. */
export interface Market extends Pick<Floor, 'yes' | 'no'> {
  condition: string
}

/** An exchange of real programs over a durable PostgreSQL of its own, and a market on it. */
export class Scene {
  readonly postgres: ThrowawayServer
  readonly databaseUrl: string
  readonly #ports: readonly [number, number]
  readonly #dataDir = temporaryFolder('faults')
  #writer: ClobServerProcess | null = null
  #standby: ClobServerProcess | null = null
  #market: Market | null = null
  #operator: Trader | null = null
  #loads = 0
  #newcomers = 0
  #gifts = 0

  private constructor(postgres: ThrowawayServer, databaseUrl: string, ports: [number, number]) {
    this.postgres = postgres
    this.databaseUrl = databaseUrl
    this.#ports = ports
  }

  /** Starts everything but a standby. */
  static async open(): Promise<Scene> {
    const postgres = await startThrowawayServer({ durable: true })
    const scene = new Scene(postgres, postgres.url('clob'), [await freePort(), await freePort()])
    try {
      await query(postgres.url('postgres'), 'create database clob')
      await migrateClob(scene.databaseUrl)
      await scene.start()
      scene.#market = await openMarket(scene.writer.url)
    } catch (error) {
      await scene.close()
      throw error
    }
    return scene
  }

  /** The process that writes. */
  get writer(): ClobServerProcess {
    if (!this.#writer) throw new Error('nobody writes')
    return this.#writer
  }

  /** Where clients may ask: the port of the writer, and the one of the standby. */
  get urls(): readonly string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`)
  }

  /** Starts the writer where the last one was: over another port of the database, or with more settings, where they are told. */
  async start(how: { databasePort?: number; environment?: Record<string, string> } = {}): Promise<void> {
    this.#writer = await this.#run(false, how)
  }

  /** Starts a standby beside the writer. */
  async startStandby(): Promise<ClobServerProcess> {
    this.#standby = await this.#run(true)
    return this.#standby
  }

  /** Ends the writer at once, as a power cut would. */
  async kill(): Promise<void> {
    await this.writer.stop('SIGKILL')
    this.#writer = null
  }

  /** The standby writes by now. */
  promoted(): void {
    this.#writer = this.#standby
    this.#standby = null
  }

  /** Clients that trade from now on, with money of their own. */
  async trade(): Promise<Load> {
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
    load.start()
    return load
  }

  /** Somebody new without limits, with so many USDC. */
  async newcomer(usdc: number): Promise<Trader> {
    const { url } = this.writer
    const trader = await Trader.of(url, walletOf(`newcomer-${this.#newcomers++}`))
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

  /** What the venue's operator asks, which is not refused. */
  async ask(method: string, target: string, value: object): Promise<Reply['body']> {
    const { status, body } = await (await this.operator()).call(this.writer.url, method, target, value)
    if (status !== 200) throw new Error(`${method} ${target} is answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** The venue's operator. */
  async operator(): Promise<Trader> {
    this.#operator ??= await Trader.of(this.writer.url, operator, 'venue')
    return this.#operator
  }

  /** The market that is traded. */
  get market(): Market {
    if (!this.#market) throw new Error('there is no market yet')
    return this.#market
  }

  /** Puts a copy of the database, as `restore` finds it, aside. Nobody may be writing. */
  backUp(): Promise<unknown> {
    return query(this.postgres.url('postgres'), 'create database backup template clob')
  }

  /** Puts that copy in the database's place. */
  async restore(): Promise<void> {
    const postgres = this.postgres.url('postgres')
    await query(postgres, 'drop database clob with (force)')
    await query(postgres, 'alter database backup rename to clob')
  }

  /** Says that the database is right whatever the data folder has seen. */
  async acceptRestored(): Promise<void> {
    const env = { CLOB_DATABASE_URL: this.databaseUrl, DATA_DIR: this.#dataDir }
    const program = startChild(process.execPath, ['src/accept-restored.ts'], { cwd: clobServer, env })
    if ((await program.ended) !== 0) throw new Error(`accept-restored failed: ${program.output()}`)
  }

  /** Rows of a query on a connection of its own. */
  query(text: string): Promise<Record<string, unknown>[]> {
    return query(this.databaseUrl, text)
  }

  /** Ends everything and removes what it wrote. */
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

async function openMarket(url: string): Promise<Market> {
  const registered = await (await Trader.of(url, operator, 'venue')).call(url, 'POST', '/operator/conditions', {
    ...{ question_slug: 'breaking', outcomes: ['Yes', 'No'], tick_size: '0.01', min_size: '5', fee_rate_bps: 0 },
    end_time: '2031-01-01T00:00:00Z',
    metadata: {
      ...{ question: 'Will it hold?', short_title: 'Holding', description: '', rules: 'It resolves by the rules.' },
      ...{ resolution_source: '', resolution_source_url: '', icon: '' },
      event: {
        slug: 'breaking',
        title: 'Breaking',
        icon: '',
        tags: [{ slug: 'news', name: 'News' }],
        rules: '',
        start_date: null,
        end_date: null,
      },
    },
  })
  const [yes, no] = registered.body.tokens.map((token: { token_id: string }) => token.token_id)
  return { condition: registered.body.condition_id, yes, no }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
