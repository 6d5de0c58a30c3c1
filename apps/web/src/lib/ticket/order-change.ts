import { parseLots } from '@augury/units/decimal'
import { MICROS_PER_LOT } from '@augury/units/lots'
import type { ChangedOrder, OrderToChange } from '@augury/wire/platform/portfolio'
import { type BookView, EMPTY_BOOK, readBook } from '#lib/book/book-view.ts'
import { cents, countedShares, steps } from '#lib/language/numbers.ts'
import { m } from '#lib/paraglide/messages.js'
import { doneSentences } from './order-done.ts'
import { type Preview, previewOrder } from './order-preview.ts'

/** An open order to be changed: its price in steps, its sizes in lots, and the book of its token. */
export interface Standing {
  side: 'BUY' | 'SELL'
  price: number
  lots: number
  filled: number
  minLots: number
  feeBps: number
  postOnly: boolean
  book: BookView
}

export function standingOf({ order, post_only, fee_rate_bps, minimum_size, book }: OrderToChange): Standing {
  const buys = order.side === 'buy'
  return {
    side: buys ? 'BUY' : 'SELL',
    price: steps(order.price),
    lots: Number(buys ? order.taker_amount : order.maker_amount) / MICROS_PER_LOT,
    filled: Number(order.size_matched) / MICROS_PER_LOT,
    minLots: parseLots(minimum_size),
    feeBps: fee_rate_bps,
    postOnly: post_only,
    book: readBook(book),
  }
}

/** Why an order cannot be changed as requested. */
export type ChangeObstacle = 'no_price' | 'off_grid' | 'no_size' | 'filled' | 'same' | 'too_small' | 'crosses' | 'too_much'

/** Effects of a change. `held` and `holds` are the hold before and after: millionths of a USDC for a BUY, lots for a SELL. */
export interface ChangePreview {
  obstacle: ChangeObstacle | null
  keepsPlace: boolean
  held: number
  holds: number
  /** Lots resting afterwards. */
  waits: number
  /** What would be filled at once. */
  now: Preview
  /** Millionths taken from the available balance. */
  takes: number
}

/** Previews a change to another price, or another size, which includes what was filled already; null for an invalid input. */
export function previewChange(standing: Standing, price: number | null, lots: number | null, cash: number | null): ChangePreview {
  const { side, filled, feeBps } = standing
  const keepsPlace = price === standing.price && lots !== null && lots <= standing.lots
  const rest = Math.max(0, (lots ?? filled) - filled)
  const limit = price ?? standing.price
  const now = previewOrder(keepsPlace ? EMPTY_BOOK : standing.book, { side, limit, lots: rest, budget: null }, feeBps)
  const waits = rest - now.lots
  const unit = (at: number) => (side === 'BUY' ? at : 1)
  const held = (standing.lots - filled) * unit(standing.price)
  const holds = waits * unit(limit)
  const takes = side === 'BUY' ? holds + now.cost + now.fee - held : 0
  const preview = { keepsPlace, held, holds, waits, now, takes }
  return { obstacle: obstacleOf(standing, preview, { price, lots, cash }), ...preview }
}

function obstacleOf(
  { price: before, lots: whole, filled, minLots, postOnly, book }: Standing,
  { keepsPlace, now, takes }: Omit<ChangePreview, 'obstacle'>,
  { price, lots, cash }: { price: number | null; lots: number | null; cash: number | null },
): ChangeObstacle | null {
  if (price === null) return 'no_price'
  if (price % book.grid !== 0) return 'off_grid'
  if (lots === null || lots === 0) return 'no_size'
  if (lots <= filled) return 'filled'
  if (price === before && lots === whole) return 'same'
  if ((keepsPlace ? lots : lots - filled) < minLots) return 'too_small'
  if (postOnly && now.lots > 0) return 'crosses'
  return cash !== null && takes > cash ? 'too_much' : null
}

/** Sentences about the result of a change. `seen` are the lots filled when it was requested, `price` is the new price in steps. */
export function changedSentences(
  changed: ChangedOrder,
  { side, seen, price, outcome }: { side: 'BUY' | 'SELL'; seen: number; price: number; outcome: string },
): string[] {
  const meanwhile = parseLots(changed.filled_before) - seen
  const sentences: string[] = meanwhile > 0 ? [m.amend_done_meanwhile(countedShares(meanwhile))] : []
  sentences.push(...doneSentences(changed, { side, price: String(price / 10_000) }, outcome))
  const waits = changed.state === 'live' || changed.state === 'partially_filled'
  if (waits) sentences.push(changed.kept_place ? m.amend_done_kept() : m.amend_done_lost({ price: cents(price) }))
  return sentences
}
