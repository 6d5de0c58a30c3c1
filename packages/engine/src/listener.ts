import type { EntryReason, Refusal } from './event.ts'

/**
 * Told what a command did, as it did it, in row numbers and integers. Whatever it wants to know beyond the arguments it
 * reads from the state at once: a slot may belong to another order later. `recorder.ts` turns it into plain events.
 */
export interface Listener {
  /** `state` is the order's state number, or −1. */
  refused(code: Refusal, state: number, available: number, reserved: number, required: number): void
  placed(slot: number, again: boolean): void
  fill(n: number, taker: number, maker: number, lots: number, fee: number): void
  reduced(slot: number, reason: 'amend' | 'stp'): void
  ended(slot: number): void
  /** `asset` is 0 for USDC, else condition * 2 + outcome. */
  entry(account: number, asset: number, delta: number, balance: number, reason: EntryReason): void
  level(condition: number, isBid: boolean, bookPrice: number, lots: number): void
  condition(condition: number, change: 'registered' | 'mode' | 'grid' | 'fee' | 'resolved'): void
  account(account: number): void
  mode(): void
  done(): void
}

/** Hears nothing: for rows that are applied again and were told of before. */
export const NOBODY: Listener = {
  refused() {},
  placed() {},
  fill() {},
  reduced() {},
  ended() {},
  entry() {},
  level() {},
  condition() {},
  account() {},
  mode() {},
  done() {},
}
