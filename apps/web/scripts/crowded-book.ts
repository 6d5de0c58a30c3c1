import type { AddressInfo } from 'node:net'
import { LiveBook } from '@augury/client/live-book'
import { marketStreamUrl } from '@augury/client/stream'
import { formatLots, formatPrice, parsePrice } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { bookChecksum } from '@augury/wire/checksum'
import type { BookMessage, MarketMessage, PriceChangeMessage } from '@augury/wire/market-stream'
import { WebSocket, WebSocketServer } from 'ws'

/** A market by its condition and the tokens of Yes and No. */
export interface Condition {
  conditionId: string
  yes: string
  no: string
}

/** A door before the market stream of an exchange, behind which one book is busier than the exchange makes it. */
export interface CrowdedBook {
  /** What makes a browser go through the door when it means the exchange. */
  browserFlag: string
  /** Messages that were sent so far. */
  sent(): number
  close(): Promise<void>
}

const BEAT_MS = 10
/** Levels of each side that change. */
const DEPTH = 12

/**
 * Lets everything through until a follower has the snapshot of one condition, and from then on changes its levels itself: so many
 * messages a second, each a frame with the checksum that the exchange would give it.
 */
export async function crowdedBook(exchange: string, condition: Condition, perSecond: number): Promise<CrowdedBook> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  let count = 0
  server.on('connection', (browser, request) => {
    const upstream = new WebSocket(new URL(request.url ?? '', marketStreamUrl(exchange)))
    const waiting: string[] = []
    let crowd: Crowd | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    upstream.on('open', () => {
      for (const text of waiting.splice(0)) upstream.send(text)
    })
    browser.on('message', (data) => (upstream.readyState === WebSocket.OPEN ? upstream.send(String(data)) : waiting.push(String(data))))
    upstream.on('message', (data) => {
      if (String(data) === 'PONG') return browser.send('PONG')
      if (crowd) return
      browser.send(String(data))
      const messages = [JSON.parse(String(data))].flat() as MarketMessage[]
      const snapshot = messages.find((each) => each.event_type === 'book' && each.asset_id === condition.yes)
      if (snapshot?.event_type !== 'book') return
      const made = new Crowd(condition, snapshot)
      crowd = made
      const begun = performance.now()
      let sent = 0
      timer = setInterval(() => {
        const due = Math.floor(((performance.now() - begun) * perSecond) / 1000)
        for (; sent < due; sent++, count++) browser.send(JSON.stringify(made.next()))
      }, BEAT_MS)
    })
    const end = () => {
      clearInterval(timer)
      upstream.terminate()
      browser.terminate()
    }
    for (const socket of [browser, upstream]) socket.on('close', end).on('error', end)
  })
  return {
    browserFlag: `--host-resolver-rules=MAP ${new URL(exchange).host} 127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate()
        server.close(() => resolve())
      }),
  }
}

/** Changes levels of a book, one after the other, as if many people did. */
class Crowd {
  readonly #condition: Condition
  readonly #book: LiveBook
  readonly #prices: { side: 'BUY' | 'SELL'; k: number }[]
  #place: { seq: number; prev_seq: number; epoch: number }
  #turn = 0

  constructor(condition: Condition, snapshot: BookMessage) {
    this.#condition = condition
    this.#book = new LiveBook([condition.yes, condition.no])
    this.#book.apply(snapshot)
    this.#place = { seq: snapshot.seq, prev_seq: snapshot.prev_seq, epoch: snapshot.epoch }
    const { bids, asks } = this.#book.levels(0, DEPTH)
    this.#prices = [
      ...bids.map(({ price }) => ({ side: 'BUY' as const, k: parsePrice(price) })),
      ...asks.map(({ price }) => ({ side: 'SELL' as const, k: parsePrice(price) })),
    ]
  }

  /** The next message: one level has another size. */
  next(): PriceChangeMessage {
    const { side, k } = this.#prices[(this.#turn * 7) % this.#prices.length]!
    const size = formatLots(1_000 + ((this.#turn++ * 7919) % 90_000))
    this.#place = { seq: this.#place.seq + 1, prev_seq: this.#place.seq, epoch: this.#place.epoch }
    const best = { best_bid: '', best_ask: '' }
    const message: PriceChangeMessage = {
      event_type: 'price_change',
      market: this.#condition.conditionId,
      timestamp: String(Date.now()),
      ...this.#place,
      price_changes: [
        { asset_id: this.#condition.yes, price: formatPrice(k), size, side, ...best },
        { asset_id: this.#condition.no, price: formatPrice(ONE - k), size, side: side === 'BUY' ? 'SELL' : 'BUY', ...best },
      ],
    }
    this.#book.apply(message)
    const { bids, asks } = this.#book.levels(0, 10)
    const [bid, ask] = [bids[0]?.price ?? '0', asks[0]?.price ?? '1']
    message.checksum = bookChecksum(bids, asks)
    for (const change of message.price_changes) {
      const isYes = change.asset_id === this.#condition.yes
      change.best_bid = isYes ? bid : formatPrice(ONE - parsePrice(ask))
      change.best_ask = isYes ? ask : formatPrice(ONE - parsePrice(bid))
    }
    return message
  }
}
