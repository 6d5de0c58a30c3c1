import { NoAnswerError, RefusedError } from '@augury/client/answer'

/** What went wrong, as a person needs to hear it. */
export interface Trouble {
  /** What failed, and why. */
  what: string
  /** Whether money moved. */
  money: string
  /** What to do now. */
  remedy: string
  /** What a person quotes when asking for help. */
  requestId: string | null
}

const NOTHING_MOVED = 'No money moved.'

/** What to do about refusals that say little by themselves; `why` replaces their own words. */
const remedies: Readonly<Record<string, { why?: string; remedy: string }>> = {
  insufficient_balance: { why: 'There is not enough cash available.', remedy: 'Make it smaller, cancel an open order, or add funds.' },
  insufficient_shares: {
    why: 'There are not enough shares available.',
    remedy: 'Sell fewer, or cancel the orders that already offer them.',
  },
  fok_not_filled: {
    why: 'The book does not hold the whole amount at your price.',
    remedy: 'Take what there is (FAK), make it smaller, or accept a worse price.',
  },
  fak_no_match: { why: 'Nobody offers at your price right now.', remedy: 'Accept a worse price, or leave a limit order.' },
  post_only_would_cross: {
    why: 'The order would have traded at once, and post-only forbids that.',
    remedy: 'Move the price away from the other side, or turn post-only off.',
  },
  self_trade: { remedy: 'Cancel your own order on the other side first.' },
  size_too_small: { why: 'The order is smaller than this market allows.', remedy: 'Make it larger.' },
  amount_too_small: { why: 'The amount is smaller than this market allows.', remedy: 'Make it larger.' },
  invalid_price_tick: { why: 'The price lies between two steps of this market.', remedy: 'Choose a price on its grid.' },
  invalid_expiration: { why: 'The order would end too soon, or too late.', remedy: 'Choose an end at least a minute from now.' },
  market_closed: { remedy: 'Trading in this market is over.' },
  market_paused: { remedy: 'Try again when trading goes on; your open orders wait.' },
  venue_paused: { remedy: 'Try again when trading goes on; see the status page.' },
  cancel_only: { remedy: 'Open orders can be cancelled; see the status page.' },
  trading_not_enabled: { why: 'Trading is not enabled on this device.', remedy: 'Enable it, and send the order again.' },
  unauthenticated: { why: 'You are not signed in any more.', remedy: 'Sign in, and try again.' },
  rate_limited: { why: 'Too many requests in a short time.', remedy: 'Wait a moment, and try again.' },
  faucet_limit: { remedy: 'Come back tomorrow.' },
  second_factor_failed: { remedy: 'Check the time of your phone, and enter the newest code.' },
  second_factor_locked: { remedy: 'Wait until the time is over; your recovery codes wait as well.' },
  step_up_required: { why: 'This needs a fresh proof that it is you.', remedy: 'Enter a code of your authenticator, or sign in again.' },
  order_not_found: { remedy: 'It may have ended a while ago: look at your history.' },
  order_ended: { why: 'The order was filled or cancelled before.', remedy: 'There is nothing left to cancel.' },
  taking_break: { remedy: 'It ends by itself; open orders can be cancelled meanwhile.' },
  own_limit: { remedy: 'Make the order smaller, or change the limit in your settings.' },
  account_banned: { remedy: 'Ask the operator of this site.' },
  outcome_unknown: { remedy: 'Look at your open orders and positions before you try again.' },
}

/** Reads an error of a call: `what` names what was tried ("The order was not placed."). Anything that is none of ours is thrown on. */
export function troubleOf(error: unknown, what: string): Trouble {
  if (error instanceof NoAnswerError) {
    return {
      what: 'No answer came.',
      money: 'Whether it was done is not known yet.',
      remedy: 'Look at your open orders and balances before you try again.',
      requestId: null,
    }
  }
  if (!(error instanceof RefusedError)) throw error
  const known = error.code === undefined ? undefined : remedies[error.code]
  const requestId = typeof error.body.request_id === 'string' ? error.body.request_id : null
  return {
    what: `${what} ${sentence(known?.why ?? error.message)}`,
    money: error.code === 'outcome_unknown' ? 'Whether it was done is not known yet.' : NOTHING_MOVED,
    remedy: known?.remedy ?? (error.status >= 500 ? 'Try again in a moment.' : 'Change it, and try again.'),
    requestId,
  }
}

const sentence = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
