import type { Hex } from '@augury/engine/command'
import type { Exchange } from '@augury/engine/exchange'
import { accountChanges } from '../../record/history/account-changes.ts'
import type { AppliedRow } from '../../record/log/applied-row.ts'
import type { Markets } from '../reference/markets.ts'
import { type AccountMessage, accountMessages } from '../views/account-messages.ts'
import { Ring } from './frames.ts'
import { View } from './view.ts'

/** Bytes of frames kept for clients that reconnect; anything older is in history. */
const RING_BYTES = 16 * 1024 * 1024
/** Views of one account that are kept for a reader to reconnect; beyond this the oldest are dropped. */
const LINGERING = 20

/** What frames about accounts are made from. */
export interface AccountSource {
  exchange: Exchange
  /** The timeline: changes only when history is rewritten. */
  epoch: number
  venue: { stream: string }
  markets: Markets
  /** Engine milliseconds. */
  now(): number
}

/** Turns rows of the log into frames, one per account and selection of markets, only for views with readers. */
export class AccountChannels<Reader> {
  readonly #source: AccountSource
  readonly #ring = new Ring(RING_BYTES)
  /** By account, then by the markets asked for. */
  readonly #channels = new Map<Hex, Map<string, View<Reader>>>()

  /** Views made so far: the ring knows a view by its number, as its markets may be a longer text than its frames. */
  #made = 0

  constructor(source: AccountSource) {
    this.#source = source
  }

  /** The view of an account in these markets, which are sorted; null for all. */
  of(account: Hex, markets: readonly string[] | null): View<Reader> {
    const key = markets?.join() ?? ''
    const views = this.#channels.get(account) ?? new Map<string, View<Reader>>()
    this.#channels.set(account, views)
    let view = views.get(key)
    if (!view) {
      const unread = [...views].filter(([, { readers }]) => readers.size === 0).map(([left]) => left)
      for (const left of unread.slice(0, Math.max(0, unread.length + 1 - LINGERING))) views.delete(left)
      view = new View(String(this.#made++), this.#ring, this.#source.exchange.seq)
      views.set(key, view)
    }
    return view
  }

  /** Hands every frame of a row to `deliver`, with the view whose readers get it. */
  publish(row: AppliedRow, deliver: (view: View<Reader>, frame: Buffer) => void): void {
    if (this.#channels.size === 0) return
    const { exchange, epoch, now } = this.#source
    const messages = new Map<Hex, AccountMessage[]>()
    for (const change of accountChanges(row, exchange, (account) => this.#channels.has(account))) {
      messages.set(change.account, [...(messages.get(change.account) ?? []), ...accountMessages(change, this.#source)])
    }
    for (const [account, all] of messages) {
      for (const [key, view] of this.#channels.get(account)!) {
        const wanted = key === '' ? all : all.filter(({ market }) => key.includes(market))
        if (wanted.length === 0) continue
        if (view.wanted(now())) deliver(view, view.append(wanted, row.lastSeq, epoch))
        else this.#forget(account, key)
      }
    }
  }

  /** Forgets the views without readers that may still come back. */
  tidy(): void {
    const now = this.#source.now()
    for (const [account, views] of this.#channels) for (const [key, view] of views) if (!view.wanted(now)) this.#forget(account, key)
  }

  #forget(account: Hex, key: string): void {
    const views = this.#channels.get(account)
    views?.delete(key)
    if (views?.size === 0) this.#channels.delete(account)
  }
}
