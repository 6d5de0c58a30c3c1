import { setTimeout as wait } from 'node:timers/promises'
import type { LiveBook } from '@augury/client/live-book'
import { pages } from '@augury/client/pages'
import { venueClient } from '@augury/client/rest'
import { MarketStream, marketStreamUrl } from '@augury/client/stream'
import { UserStream, userStreamUrl } from '@augury/client/user-stream'
import type { ApiKey } from '@augury/signing/request-signer'
import { type CutLine, openLine } from '@augury/testing/cut-line'
import type { Market } from './scene.ts'
import { send } from './trader.ts'

/** Polls every ten milliseconds until the follower has reached the position. */
const PATIENCE = 3000

/** A line that leads straight there. */
const straight = (url: string): Pick<CutLine, 'port' | 'cut' | 'close'> => ({
  port: Number(new URL(url).port),
  cut() {
    throw new Error('nothing is between')
  },
  close: async () => {},
})
const lineTo = (url: string, isCut: boolean) => (isCut ? openLine(Number(new URL(url).port)) : straight(url))

/** Follows the market, over a line that can be cut unless told, and knows what its book was at each position while it is compared. */
export async function followMarket(url: string, market: Market, isCut = true) {
  const line = await lineTo(url, isCut)
  const remembered = new Map<number, string>()
  const stream = new MarketStream({ url: marketStreamUrl(`http://127.0.0.1:${line.port}`), reconnectMs: 1 })
  let book: LiveBook | null = null
  let comparing = 0
  const remember = () => {
    if (book) remembered.set(book.seq, JSON.stringify(book.levels(0)))
  }
  const tokens = [{ token_id: market.yes }, { token_id: market.no }]
  stream.follow({ condition_id: market.condition, tokens }, (next) => {
    book = next
    if (comparing > 0) remember()
  })
  return {
    cut: line.cut,
    /** Asks for the book, and waits until the stream has been there. Returns how many were compared. */
    async compare(wrong: string[]): Promise<number> {
      comparing++
      remember()
      try {
        const { bids, asks, seq: asked } = (await send(url, 'GET', `/orderbook?token_id=${market.yes}`)).body
        const at = () => book?.seq ?? -1
        for (let patience = 0; at() < asked && patience < PATIENCE; patience++) await wait(10)
        const own = remembered.get(asked)
        if (own === JSON.stringify({ bids, asks })) return 1
        if (at() < asked) wrong.push(`the stream stays at ${at()}, the book is at ${asked}`)
        else if (own !== undefined) wrong.push(`at ${asked} the stream has another book`)
        return 0 // the frame of that position was replaced by a book anew
      } finally {
        if (--comparing === 0) remembered.clear()
      }
    },
    close() {
      stream.close()
      void line.close()
    },
  }
}

/** Follows an account the same way. */
export async function followAccount(url: string, apiKey: ApiKey, isCut = true) {
  const line = await lineTo(url, isCut)
  const client = venueClient({ url, apiKey })
  const after = (await client.listEvents({ query: { after: 0 } })).seq
  const told: string[] = []
  const stream = new UserStream({
    url: userStreamUrl(`http://127.0.0.1:${line.port}`),
    apiKey,
    client,
    after,
    reconnectMs: 1,
    onEvent: ({ event_id }) => told.push(event_id),
  })
  return {
    told,
    cut: line.cut,
    /** What was told, held against history once all of it is there. */
    async compare(): Promise<string[]> {
      const expected: string[] = []
      for await (const { event_id } of pages((next_cursor) => client.listEvents({ query: { after, next_cursor } }))) expected.push(event_id)
      for (let patience = 0; told.length < expected.length && patience < PATIENCE; patience++) await wait(10)
      const heard = new Set(told)
      const missing = expected.filter((id) => !heard.has(id)).length
      const twice = told.length - heard.size
      return missing === 0 && twice === 0 ? [] : [`of ${expected.length} events ${missing} were not told, and ${twice} twice`]
    },
    close() {
      stream.close()
      void line.close()
    },
  }
}
