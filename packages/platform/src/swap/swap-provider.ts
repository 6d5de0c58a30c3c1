import type { SwapQuote } from '@augury/wire/platform/swap'

/**
 * What a member wants to bring in: `amount` in the smallest units of `token`, from a wallet on another chain to one on the exchange's
 * chain.
 */
export interface SwapWish {
  chain: number
  token: `0x${string}`
  amount: string
  from: `0x${string}`
  to: `0x${string}`
}

/** A service that quotes swaps. Its quote is checked against the request before a member sees it. */
export interface SwapProvider {
  /** Rate limit of the service for the whole deployment: requests in any window of so many seconds. */
  readonly limit: { questions: number; seconds: number }
  /** Throws `swap_no_route`, `swap_failed` and `rate_limited`. */
  quote(wish: SwapWish): Promise<Omit<SwapQuote, 'from' | 'to_address'>>
}
