import type { EntryReason, Refusal } from './event.ts'

/**
 * Receives what a command did, while it is applied, as row numbers and integers. A listener that needs more reads it from the
 * state before it returns: a slot may belong to another order later. `recorder.ts` makes plain events of the calls.
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

/** Ignores everything: for replaying rows whose events were already reported. */
export const NO_LISTENER: Listener = {
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
