import { setTimeout as wait } from 'node:timers/promises'
import { venueClient } from '@augury/client/rest'
import { MarketStream, marketStreamUrl } from '@augury/client/stream'
import { UserStream, userStreamUrl } from '@augury/client/user-stream'
import { openLine } from './cut-line.ts'
import type { Fault } from './faults.ts'
import type { Load } from './load.ts'
import type { Scene } from './scene.ts'
import { Swarm } from './swarm.ts'
import { send } from './trader.ts'

/** Frames whose books are remembered, to be held against what REST says of the same position. */
const REMEMBERED = 2000
/** How often a market changes while thousands follow it, and which part of them does not read. */
const UPDATES_PER_SECOND = 4
const SLOW_SHARE = 0.05
/** Which part loses its connection, each second. */
const KILLED_SHARE = 0.02

/** Followers whose connections break, or that do not read. */
export const streams: readonly Fault[] = [
  {
    name: 'streams are cut and resumed',
    must: 'every rebuilt book equals the one that is asked for at the same position; of the events of an account none is missing and none told twice',
    async run(scene, { resumes }) {
      const load = await scene.trade()
      const books = await followMarket(scene)
      const events = await followAccount(scene, load)
      const wrong: string[] = []
      let compared = 0
      for (let cut = 0; cut < resumes; cut++) {
        await wait(20 + Math.random() * 80)
        ;(cut % 2 ? books : events).cut()
        if (cut % 5 === 4) compared += await books.compare(wrong)
      }
      await load.stop()
      compared += await books.compare(wrong)
      wrong.push(...(await events.compare()))
      wrong.push(...(await load.check(scene.writer.url)))
      books.close()
      events.close()
      const told = `${compared} books and ${events.told.length} events compared`
      return { facts: `${resumes} cuts: ${load.acknowledged} acknowledged, ${load.refused} refused; ${told}`, wrong }
    },
  },
  {
    name: 'thousands of sockets, some killed, some slow',
    must: 'nobody has a gap or hears a frame twice, and all books are the one that is asked for; who does not read delays nobody',
    async run(scene, { sockets, socketSeconds }) {
      const swarm = new Swarm(Number(new URL(scene.writer.url).port), scene.market)
      await swarm.open(sockets)
      const healthy = await update(scene, swarm, socketSeconds / 2)
      swarm.slow(SLOW_SHARE)
      const beside = await update(scene, swarm, socketSeconds / 2)
      const wrong = await agree(scene, swarm)
      swarm.close()
      const sum = (name: 'frames' | 'resumes' | 'resyncs' | 'gaps' | 'repeats') => healthy[name] + beside[name]
      for (const name of ['gaps', 'repeats'] as const) if (sum(name) > 0) wrong.push(`${sum(name)} ${name}`)
      const lag = `p99 from the first to the last reader ${healthy.p99} ms, beside 5 % who do not read ${beside.p99} ms`
      return {
        facts: `${sockets} sockets: ${sum('frames')} frames, ${sum('resumes')} resumes, ${sum('resyncs')} books anew; ${lag}`,
        wrong,
      }
    },
  },
]

/** Follows the market over a line that can be cut, and remembers what its book was at each position. */
async function followMarket(scene: Scene) {
  const { url } = scene.writer
  const { market } = scene
  const line = await openLine(Number(new URL(url).port))
  const remembered = new Map<number, string>()
  const stream = new MarketStream({ url: marketStreamUrl(`http://127.0.0.1:${line.port}`), reconnectMs: 1 })
  let seq = -1
  const tokens = [{ token_id: market.yes }, { token_id: market.no }]
  stream.follow({ condition_id: market.condition, tokens }, (book) => {
    seq = book.seq
    remembered.delete(seq)
    remembered.set(seq, JSON.stringify(book.levels(0)))
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!)
  })
  return {
    cut: line.cut,
    /** Asks for the book, and waits until the stream has been there. Returns how many were compared. */
    async compare(wrong: string[]): Promise<number> {
      const { bids, asks, seq: asked } = (await send(url, 'GET', `/orderbook?token_id=${market.yes}`)).body
      for (let patience = 0; seq < asked && patience < 500; patience++) await wait(10)
      const own = remembered.get(asked)
      if (own === JSON.stringify({ bids, asks })) return 1
      if (seq < asked) wrong.push(`the stream stays at ${seq}, the book is at ${asked}`)
      else if (own !== undefined) wrong.push(`at ${asked} the stream has another book`)
      return 0 // the frame of that position was replaced by a book anew
    },
    close() {
      stream.close()
      line.close()
    },
  }
}

/** Follows one trader of a load the same way. */
async function followAccount(scene: Scene, load: Load) {
  const { url } = scene.writer
  const line = await openLine(Number(new URL(url).port))
  const apiKey = load.traders[0]!.key
  const client = venueClient({ url, apiKey })
  const after = (await client.listEvents({ query: { after: 0 } })).seq
  const told: string[] = []
  const stream = new UserStream({
    ...{ url: userStreamUrl(`http://127.0.0.1:${line.port}`), apiKey, client, after, reconnectMs: 1 },
    onEvent: ({ event_id }) => told.push(event_id),
  })
  return {
    told,
    cut: line.cut,
    /** What was told, held against history once all of it is there. */
    async compare(): Promise<string[]> {
      const expected: string[] = []
      for (let cursor: string | undefined; cursor !== 'LTE='; ) {
        const page = await client.listEvents({ query: { after, ...(cursor === undefined ? {} : { next_cursor: cursor }) } })
        expected.push(...page.data.map(({ event_id }) => event_id))
        cursor = page.next_cursor
      }
      for (let patience = 0; told.length < expected.length && patience < 500; patience++) await wait(10)
      const missing = expected.filter((id) => !told.includes(id)).length
      const twice = told.length - new Set(told).size
      return missing === 0 && twice === 0 ? [] : [`of ${expected.length} events ${missing} were not told, and ${twice} twice`]
    },
    close() {
      stream.close()
      line.close()
    },
  }
}

/** Changes the market for so many seconds while members of the swarm are killed. */
async function update(scene: Scene, swarm: Swarm, seconds: number) {
  const trader = await scene.newcomer(1_000_000)
  const { url } = scene.writer
  swarm.take()
  for (let n = 0; n < seconds * UPDATES_PER_SECOND; n++) {
    const order = {
      tokenId: scene.market.yes,
      side: 'BUY',
      orderType: 'GTC',
      price: `0.${10 + (n % 30)}`,
      size: '5',
      clientOrderId: crypto.randomUUID(),
    }
    await Promise.all([trader.call(url, 'POST', '/order', order), wait(1000 / UPDATES_PER_SECOND)])
    if (n % UPDATES_PER_SECOND === 0) swarm.kill(KILLED_SHARE)
  }
  await trader.call(url, 'DELETE', '/cancel-all')
  await wait(500)
  return swarm.take()
}

/** Whether all who read stand at the same position, with the book that is asked for. */
async function agree(scene: Scene, swarm: Swarm): Promise<string[]> {
  const { bids, asks, seq } = (await send(scene.writer.url, 'GET', `/orderbook?token_id=${scene.market.yes}`)).body
  for (let patience = 0; patience < 100 && [...swarm.positions()].some((one) => one !== seq); patience++) await wait(100)
  const elsewhere = [...swarm.positions()].filter((one) => one !== seq)
  const asked = JSON.stringify({ bids, asks })
  const different = swarm.books().filter((book) => JSON.stringify(book.levels(0)) !== asked).length
  return [
    ...(elsewhere.length > 0 ? [`some stand at ${elsewhere.slice(0, 5)}, the book at ${seq}`] : []),
    ...(different > 0 ? [`${different} rebuilt books differ`] : []),
  ]
}
