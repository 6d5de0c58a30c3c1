import type { AccountEvent } from '@augury/wire/user-stream'

/** A trade of an account, as its stream and its history tell it. */
export const tradeEvent = (account: string, seq: number, owner: string): AccountEvent =>
  ({
    ...{ event_type: 'trade', type: 'TRADE', account, event_id: `${seq}-1`, timestamp: '1', trade_owner: owner, id: `${seq}-1` },
    ...{
      taker_order_id: '0x1',
      market: '0x2',
      asset_id: '3',
      side: 'BUY',
      size: '1',
      fee_rate_bps: '0',
      price: '0.5',
      status: 'CONFIRMED',
    },
    ...{ match_time: '1', match_time_iso: '2026-01-01T00:00:00Z', last_update: '1', outcome: 'Yes', bucket_index: 0, owner },
    ...{ maker_address: account, maker_orders: [], transaction_hash: '0x', trader_side: 'MAKER', fee: '0', seq, epoch: 1 },
  }) as AccountEvent
