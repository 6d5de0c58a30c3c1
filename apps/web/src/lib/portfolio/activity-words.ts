import type { Activity } from '@augury/wire/data'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'

/** What happened, in words. */
export function activityWords({ type, side, outcome: written }: Activity): string {
  const outcome = outcomeName(written)
  if (type === 'TRADE') return side === 'SELL' ? m.activity_sold({ outcome }) : m.activity_bought({ outcome })
  const words = {
    SPLIT: m.activity_split,
    MERGE: m.activity_merge,
    REDEEM: m.activity_redeem,
    CONVERSION: m.activity_conversion,
    DEPOSIT: m.activity_deposit,
    WITHDRAWAL: m.activity_withdrawal,
    MAKER_REBATE: m.activity_rebate,
    REFERRAL_REWARD: m.activity_referral,
    FEE: m.activity_fee,
  } as const
  return words[type]()
}

/** Returns the change of the account's cash in USDC, to the millionth, with the fee: negative if spent. */
export function cashChange({ type, side, usdcSize, fee }: Activity): number {
  const isSpent = (type === 'TRADE' && side === 'BUY') || type === 'SPLIT' || type === 'WITHDRAWAL'
  return Math.round(((isSpent ? -usdcSize : usdcSize) - fee) * 1e6) / 1e6
}

/** What a history may be narrowed to. */
export const HISTORY_KINDS = {
  all: [],
  trades: ['TRADE'],
  transfers: ['DEPOSIT', 'WITHDRAWAL'],
  conversions: ['SPLIT', 'MERGE', 'CONVERSION'],
  payouts: ['REDEEM', 'MAKER_REBATE', 'REFERRAL_REWARD', 'FEE'],
} as const satisfies Record<string, readonly Activity['type'][]>
export type HistoryKind = keyof typeof HISTORY_KINDS

/** Reads a kind from an address; anything else is everything. */
export const readHistoryKind = (value: string | null): HistoryKind =>
  value !== null && Object.hasOwn(HISTORY_KINDS, value) ? (value as HistoryKind) : 'all'
