import { setTimeout as wait } from 'node:timers/promises'
import { fillCatalogue } from '@augury/bench/service/full-catalogue'
import { migratePlatform } from '@augury/domain/platform/database'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { redisBinary, startRedis } from '@augury/testing/redis-server'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { createClient } from 'redis'
import type { Fault } from './faults.ts'

const SERVER = new URL(import.meta.resolve('@augury/bench/service/platform-server')).pathname
const EVENTS = 1000
const LANES = 16
const PATIENCE_MS = 10_000

/** Visitors who page through the site's lists, and the answers they got since the last call. */
class Visitors {
  readonly #origin: string
  #times: number[] = []
  #wrong = new Set<string>()
  #isOver = false
  readonly #running: Promise<unknown>

  constructor(origin: string) {
    this.#origin = origin
    this.#running = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#turnPages(lane)))
  }

  async #turnPages(lane: number): Promise<void> {
    for (let n = lane; !this.#isOver; n += LANES) {
      const path = `/api/events?limit=20&offset=${(n % 50) * 20}`
      const begun = performance.now()
      try {
        const reply = await fetch(this.#origin + path, { signal: AbortSignal.timeout(PATIENCE_MS) })
        const events = (await reply.json()) as unknown[]
        if (reply.status !== 200 || events.length !== 20) this.#wrong.add(`${path} was answered ${reply.status}`)
      } catch (error) {
        this.#wrong.add(`${path}: ${(error as Error).message}`)
      }
      this.#times.push(performance.now() - begun)
    }
  }

  take(): { count: number; p99: number; wrong: string[] } {
    const sorted = this.#times.toSorted((a, b) => a - b)
    const seen = { count: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, wrong: [...this.#wrong] }
    this.#times = []
    this.#wrong = new Set()
    return seen
  }

  async leave(): Promise<void> {
    this.#isOver = true
    await this.#running
  }
}

/** The site's shared cache fails in every possible way. */
export const redisFaults: readonly Fault[] = [
  {
    name: 'Redis is emptied, frozen and killed, and comes back',
    must: 'every visitor is answered rightly all the time: what it kept is only ever a copy',
    async run(_, { redisSeconds }) {
      if (redisBinary === null) return { facts: 'not run: there is no redis-server here', wrong: [] }
      const postgres = await startThrowawayServer({ durable: true })
      const redis = await startRedis(redisBinary)
      const port = await freePort()
      try {
        const databaseUrl = postgres.url('postgres')
        await migratePlatform(databaseUrl)
        await fillCatalogue(databaseUrl, EVENTS)
        const server = startChild(process.execPath, [SERVER, databaseUrl, String(port), temporaryFolder('redis'), redis.url])
        await server.waitFor(/listening/)
        const facts: string[] = []
        const wrong: string[] = []
        const visitors = new Visitors(`http://127.0.0.1:${port}`)
        let calm = Number.NaN
        const during = async (what: string, act: () => unknown) => {
          await act()
          await wait(redisSeconds * 1000)
          const seen = visitors.take()
          wrong.push(...seen.wrong.map((sentence) => `${what}: ${sentence}`))
          if (Number.isNaN(calm)) calm = seen.p99
          facts.push(`${what} ${seen.count} answers, p99 ${seen.p99.toFixed(0)} ms (${(seen.p99 / calm).toFixed(1)} ×)`)
        }
        await wait(redisSeconds * 1000) // everything is cached
        visitors.take()
        await during('at peace', () => {})
        if ((await keysOf(redis.url)) === 0) wrong.push('nothing was kept in Redis')
        await during('emptied', () => emptied(redis.url))
        await during('frozen', redis.freeze)
        await during('going on', redis.thaw)
        await during('killed', redis.kill)
        await during('back', redis.restart)
        await visitors.leave()
        await server.stop()
        return { facts: facts.join('; '), wrong }
      } finally {
        await redis.kill()
        await postgres.remove()
      }
    },
  },
]

const open = (url: string) => createClient({ url })

/** Connects, sends a request and disconnects. */
async function asked<Answer>(url: string, ask: (client: ReturnType<typeof open>) => Promise<Answer>): Promise<Answer> {
  const client = open(url)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    client.destroy()
  }
}

const keysOf = (url: string) => asked(url, (client) => client.dbSize())
const emptied = (url: string) => asked(url, (client) => client.flushAll())
