import type { Hex, Outcome } from '@augury/engine/command'
import { transactionHash } from '@augury/signing/transaction-hash'
import { formatLots, formatPrice, formatUsdc } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import type { OwnTrade, PublicTrade } from '@augury/wire/trade'
import { getAddress } from 'viem'
import type { Annex } from '../../base/annex.ts'
import { OTHER_SIDE } from '../../base/books.ts'
import type { MakerFill, TradeRecord } from '../../record/history/read-trades.ts'
import type { Markets } from '../reference/markets.ts'

/** What views of trades depend on. */
export interface TradeContext {
  markets: Markets
  venue: { stream: string }
}

const iso = (ms: number): string => new Date(ms).toISOString()
const walletOf = (account: Hex, by: Annex): Hex => getAddress(by.maker ?? account)

/**
 * A trade as everybody sees it: in the taker's token, with the taker's side. For the other token it is mirrored: buying Yes at 0.45 is
 * selling No at 0.55.
 */
export function publicTrade(ctx: TradeContext, trade: TradeRecord, outcome: Outcome = trade.outcome): PublicTrade {
  const market = ctx.markets.market(trade.condition)!
  const isMirror = outcome !== trade.outcome
  const price = isMirror ? ONE - trade.price : trade.price
  return {
    id: trade.id,
    market: trade.condition,
    asset_id: market.tokens[outcome],
    outcome: market.outcomes[outcome],
    outcome_index: outcome,
    side: isMirror ? OTHER_SIDE[trade.side] : trade.side,
    price: formatPrice(price),
    size: formatLots(trade.lots),
    usdc_size: formatUsdc(price * trade.lots),
    match_type: trade.makers[0]!.kind,
    fee: formatUsdc(trade.fee),
    timestamp: Math.floor(trade.at / 1000),
    timestamp_iso: iso(trade.at),
    transaction_hash: transactionHash(ctx.venue.stream, trade.seq, trade.n),
    taker_address: walletOf(trade.taker.account, trade.taker.by),
    event_slug: market.metadata.event.slug,
    title: market.metadata.question,
    slug: market.questionSlug,
    seq: trade.seq,
  }
}

/**
 * A trade as each who took part sees it: in their own token, with their side, price and size. With an account only its rows: one as taker,
 * and one for each token and price as maker.
 */
export function partyTrades(ctx: TradeContext, trade: TradeRecord, account: Hex | null): PublicTrade[] {
  const market = ctx.markets.market(trade.condition)!
  const taken = publicTrade(ctx, trade)
  const rows: PublicTrade[] = []
  if (account === null || trade.taker.account === account)
    rows.push({ ...taken, trader_side: 'TAKER', trader_address: walletOf(trade.taker.account, trade.taker.by) })
  const made = trade.makers.filter((maker) => account === null || maker.account === account)
  const groups = Map.groupBy(made, (maker) => [walletOf(maker.account, maker.by), maker.outcome, maker.side, maker.price].join())
  for (const fills of groups.values()) {
    const [{ outcome, side, price, kind, account: by, by: annex }] = fills as [MakerFill]
    const lots = fills.reduce((sum, fill) => sum + fill.lots, 0)
    rows.push({
      ...taken,
      asset_id: market.tokens[outcome],
      outcome: market.outcomes[outcome],
      outcome_index: outcome,
      side,
      price: formatPrice(price),
      size: formatLots(lots),
      usdc_size: formatUsdc(price * lots),
      match_type: kind,
      fee: '0',
      trader_side: 'MAKER',
      trader_address: walletOf(by, annex),
    })
  }
  return rows
}

/** A trade as one of its two sides sees it. */
export function ownTrade(ctx: TradeContext, account: Hex, trade: TradeRecord): OwnTrade {
  const market = ctx.markets.market(trade.condition)!
  const seconds = String(Math.floor(trade.at / 1000))
  const taker = trade.taker.account === account
  const own = taker ? null : trade.makers.find((maker) => maker.account === account)!
  const by = own?.by ?? trade.taker.by
  return {
    id: trade.id,
    taker_order_id: trade.taker.orderId,
    market: trade.condition,
    asset_id: market.tokens[trade.outcome],
    side: trade.side,
    size: formatLots(trade.lots),
    fee_rate_bps: String(trade.feeBps),
    price: formatPrice(trade.price),
    status: 'CONFIRMED',
    match_time: seconds,
    match_time_iso: iso(trade.at),
    last_update: seconds,
    outcome: market.outcomes[trade.outcome],
    bucket_index: 0,
    owner: by.owner,
    maker_address: walletOf(own?.account ?? trade.taker.account, by),
    maker_orders: trade.makers.map((maker) => ({
      order_id: maker.orderId,
      owner: maker.by.owner,
      maker_address: walletOf(maker.account, maker.by),
      matched_amount: formatLots(maker.lots),
      price: formatPrice(maker.price),
      fee_rate_bps: '0',
      asset_id: market.tokens[maker.outcome],
      outcome: market.outcomes[maker.outcome],
      side: maker.side,
    })),
    transaction_hash: transactionHash(ctx.venue.stream, trade.seq, trade.n),
    trader_side: taker ? 'TAKER' : 'MAKER',
    fee: formatUsdc(taker ? trade.fee : 0),
    seq: trade.seq,
  }
}

/** The transaction hash of a trade by its id `seq-n`. */
export function hashOfTrade({ venue }: TradeContext, id: string): Hex {
  const [seq, n] = id.split('-').map(Number)
  return transactionHash(venue.stream, seq!, n!)
}
