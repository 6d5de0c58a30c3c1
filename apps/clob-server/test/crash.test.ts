import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateClob } from '@augury/domain/clob/database'
import { freePort } from '@augury/testing/free-port'
import { startThrowawayServer, type ThrowawayServer } from '@augury/testing/throwaway-server'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Caller, send } from './caller.ts'
import { conditionRequest, fund } from './market.ts'
import { wallets } from './running-server.ts'

let postgres: ThrowawayServer
let environment: Record<string, string>
let url: string
let dataDir: string
let server: ChildProcess
let output = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  postgres = await startThrowawayServer({ durable: true })
  const admin = new pg.Client(postgres.url('postgres'))
  await admin.connect()
  await admin.query('create database clob')
  await admin.end()
  const database = postgres.url('clob')
  await migrateClob(database)
  dataDir = await mkdtemp(join(tmpdir(), 'augury-crash-'))
  environment = {
    CLOB_PORT: String(port),
    CLOB_DATABASE_URL: database,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    VENUE_ADDRESSES: wallets.operator.address,
    OPERATOR_ADDRESSES: wallets.operator.address,
  }
  await start()
})
afterAll(async () => {
  server.kill('SIGKILL')
  await postgres.remove()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], { env: environment })
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk) => (output += chunk))
  for (;;) {
    const ready = await fetch(`${url}/readyz`).then((reply) => reply.ok, () => false) // biome-ignore format: one line
    if (ready) return
    if (server.exitCode !== null) throw new Error(output)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** A price that every market refuses here. */
const OFF_TICK = '0.555'

/** Does something for each item, sixteen at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 16) await Promise.all(items.slice(at, at + 16).map(work))
}

/** What the clients know of what they asked for: a list of their own, kept apart from the server. */
class Load {
  readonly acknowledged = new Map<string, { caller: Caller; body: Record<string, unknown> }>()
  readonly refused = new Set<string>()
  /** Codes of what was neither: said to be tried again. */
  readonly unavailable = new Set<string>()
  readonly #sent: { caller: Caller; order: Record<string, unknown> }[] = []
  readonly #traders: Caller[]
  readonly #yes: string
  readonly #no: string
  readonly #name: string

  constructor(name: string, traders: Caller[], [yes, no]: [string, string]) {
    this.#name = name
    this.#traders = traders
    this.#yes = yes
    this.#no = no
  }

  /** Sixteen clients that place orders, some of which must be refused, until told to stop. A lost connection ends nobody. */
  run(isOver: () => boolean): Promise<unknown> {
    return Promise.all(
      Array.from({ length: 16 }, async (_, lane) => {
        const caller = this.#traders[lane % 2]!
        while (!isOver()) {
          const count = this.#sent.length
          const isRefused = count % 7 === 0
          const order = {
            ...{
              tokenId: count % 3 ? this.#yes : this.#no,
              side: 'BUY',
              orderType: 'GTC',
              size: '5',
              clientOrderId: `${this.#name}-${count}`,
            },
            price: isRefused ? OFF_TICK : `0.${String(40 + (count % 20))}`,
          }
          this.#sent.push({ caller, order })
          try {
            const reply = await caller.call('POST', '/order', order)
            if (reply.status === 200) this.acknowledged.set(reply.body.orderId, { caller, body: reply.body })
            else if (reply.status < 500) this.refused.add(order.clientOrderId)
            else this.unavailable.add(reply.body.code)
            if (reply.status >= 500) await new Promise((resolve) => setTimeout(resolve, 300))
          } catch {
            await new Promise((resolve) => setTimeout(resolve, 100)) // the connection died: nobody knows
          }
        }
      }),
    )
  }

  /** Holds everything the clients know against what the exchange says. */
  async check(): Promise<void> {
    await each([...this.acknowledged], async ([id, { caller, body }]) => {
      const found = await caller.call('GET', `/data/order/${id}`)
      expect([id, found.status, found.body.seq]).toEqual([id, 200, body.seq])
      expect(Number(found.body.size_matched)).toBeGreaterThanOrEqual(Number(body.size_matched))
    })
    // Asked again, every order answers what it answered; one without an answer gets its first.
    await each(this.#sent, async ({ caller, order }) => {
      const again = await caller.call('POST', '/order', order)
      const isRefused = order.price === OFF_TICK
      expect(again.status).toBe(isRefused ? 400 : 200)
      if (this.acknowledged.has(again.body.orderId)) expect(again.body).toEqual(this.acknowledged.get(again.body.orderId)!.body)
      if (this.refused.has(order.clientOrderId as string)) expect(isRefused).toBe(true)
    })
    // Nothing was made or lost: what the two have is what they were given, a pair of shares counting as the USDC it locks.
    let total = 0
    const micros = async (caller: Caller, query: string) => (await caller.call('GET', `/balance-allowance?${query}`)).body
    for (const caller of this.#traders) {
      const usdc = await micros(caller, 'asset_type=COLLATERAL')
      total += Number(usdc.balance) + Number((await micros(caller, `asset_type=CONDITIONAL&token_id=${this.#yes}`)).balance)
      const holds: { amount: string; asset: string }[] = (await caller.call('GET', '/holds')).body
      expect(usdc.reserved).toBe(String(holds.filter(({ asset }) => asset === 'USDC').reduce((sum, { amount }) => sum + Number(amount), 0)))
    }
    expect(total).toBe(2 * 50_000_000_000)
  }
}

let tokens: [string, string]
let traders: Caller[]

test('killed under load, it comes back with every order it acknowledged and none that it refused', async () => {
  const operator = await Caller.of(url, wallets.operator, 'venue')
  const { body } = await operator.call('POST', '/operator/conditions', conditionRequest('crashing'))
  tokens = body.tokens.map((token: { token_id: string }) => token.token_id)
  traders = [await Caller.of(url, wallets.alice), await Caller.of(url, wallets.bob)]
  for (const { key } of traders) await fund(url, key.address, '50000')

  const load = new Load('killed', traders, tokens)
  for (let round = 0; round < 4; round++) {
    let isOver = false
    const running = load.run(() => isOver)
    await new Promise((resolve) => setTimeout(resolve, 400))
    server.kill('SIGKILL')
    isOver = true
    await Promise.all([running, once(server, 'exit')])
    await start()
  }
  expect(load.acknowledged.size).toBeGreaterThan(50)
  expect(load.refused.size).toBeGreaterThan(5)
  await load.check()
}, 120_000)

test('while the database is away nothing is said that is not so, and then it goes on by itself', async () => {
  const load = new Load('database', traders, tokens)
  let isOver = false
  const running = load.run(() => isOver)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await postgres.stop('immediate')
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const before = load.acknowledged.size
  await postgres.start()
  await expect.poll(() => load.acknowledged.size, { timeout: 30_000 }).toBeGreaterThan(before + 20)
  isOver = true
  await running
  expect([...load.unavailable].filter((code) => !['service_unavailable', 'overloaded', 'read_model_lagging'].includes(code))).toEqual([])
  await load.check()
}, 120_000)

test('no secret of anybody is in the log', async () => {
  const { key } = await Caller.of(url, wallets.alice)
  const signature = (await (await Caller.with(url, key)).headers('GET', '/data/orders')).SVC_SIGNATURE!
  await send(url, 'GET', '/data/orders?__proto__=1', undefined, { SVC_SIGNATURE: signature, SVC_PASSPHRASE: key.passphrase })
  expect(output).toContain('listening')
  for (const secret of [key.secret, key.passphrase, signature])
    for (let at = 0; at + 6 <= 12; at++) expect(output).not.toContain(secret.slice(at, at + 8))
})

test('SIGTERM ends it cleanly, and settings that make no sense are named', async () => {
  server.kill('SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  const wrong = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env: { ...environment, CLOB_PORT: 'http', HOST: '0.0.0.0' },
  })
  let said = ''
  wrong.stderr.on('data', (chunk) => (said += chunk))
  expect(await once(wrong, 'close')).toEqual([1, null])
  expect(said).toMatch(/CLOB_PORT must be a port number/)
  expect(said).toMatch(/HOST must be a loopback address/)
  expect(said).not.toMatch(/\n\s+at /)
})
