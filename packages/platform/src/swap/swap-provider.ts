import type { SwapQuote } from '@augury/wire/platform/swap'

/** What somebody wants to bring: `amount` in the smallest units of `token`, from a wallet on a chain to a wallet on the exchange's. */
export interface SwapWish {
  chain: number
  token: `0x${string}`
  amount: string
  from: `0x${string}`
  to: `0x${string}`
}

/** A service that tells what a swap brings. What it says is checked against the wish before anybody sees it. */
export interface SwapProvider {
  /** Its limits: questions in any window of so many seconds, of the whole deployment. */
  readonly limit: { questions: number; seconds: number }
  /** Refuses `swap_no_route`, `swap_failed` and `rate_limited`. */
  quote(wish: SwapWish): Promise<Omit<SwapQuote, 'from' | 'to_address'>>
}
