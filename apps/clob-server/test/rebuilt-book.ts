import type { Message } from './listener.ts'

/** The book of one token as a follower rebuilds it; throws where its chain breaks. */
export class RebuiltBook {
  readonly sides: Record<'BUY' | 'SELL', Map<string, string>> = { BUY: new Map(), SELL: new Map() }
  seq = -1
  readonly token: string
  constructor(token: string) {
    this.token = token
  }

  apply(message: Message): void {
    if (message.event_type === 'book' && message.asset_id === this.token) {
      this.sides.BUY = new Map(message.bids.map((level: Message) => [level.price, level.size]))
      this.sides.SELL = new Map(message.asks.map((level: Message) => [level.price, level.size]))
      this.seq = message.seq
    } else if (message.event_type === 'price_change' || message.event_type === 'last_trade_price') {
      if (message.seq !== this.seq && message.prev_seq !== this.seq)
        throw new Error(`gap: at ${this.seq}, told of ${message.prev_seq} → ${message.seq}`)
      this.seq = message.seq
      for (const { asset_id, price, size, side } of message.price_changes ?? []) {
        if (asset_id !== this.token) continue
        if (size === '0') this.sides[side as 'BUY' | 'SELL'].delete(price)
        else this.sides[side as 'BUY' | 'SELL'].set(price, size)
      }
    }
  }

  levels() {
    const sorted = (side: 'BUY' | 'SELL') =>
      [...this.sides[side]]
        .map(([price, size]) => ({ price, size }))
        .sort((a, b) => (side === 'BUY' ? Number(b.price) - Number(a.price) : Number(a.price) - Number(b.price)))
    return { bids: sorted('BUY'), asks: sorted('SELL') }
  }
}
