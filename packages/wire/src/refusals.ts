import { passkeyRefusals } from './passkey-refusals.ts'

/** The closed list of refusals, with status and text. `detailed` replaces the text when all its values are given. */

interface Refusal {
  status: number
  text: string
  detailed?: string
}

const list = {
  // Transport
  bad_request: { status: 400, text: 'Bad request' },
  invalid_json: { status: 400, text: 'Invalid JSON' },
  invalid_payload: { status: 400, text: 'Invalid payload' },
  too_many_items: { status: 400, text: 'Payload exceeds the limit' },
  too_many_subscriptions: { status: 400, text: 'this socket follows as much as a socket may' },
  not_found: { status: 404, text: 'Not found' },
  wrong_host: { status: 421, text: 'This site has another address.' },
  method_not_allowed: { status: 405, text: 'Method not allowed' },
  payload_too_large: { status: 413, text: 'Payload exceeds the limit' },
  unsupported_media_type: { status: 415, text: 'Content-Type must be application/json' },
  headers_too_large: { status: 431, text: 'Request header fields too large' },
  rate_limited: { status: 429, text: 'Too Many Requests' },
  unsupported: { status: 501, text: 'not supported by this venue' },
  internal_error: { status: 500, text: 'Internal server error' },
  outcome_unknown: { status: 500, text: 'The exchange did not answer. Look at your open orders before you try again.' },
  overloaded: { status: 503, text: 'Too many requests are waiting. Try again in a moment.' },
  service_unavailable: { status: 503, text: 'Service unavailable. Try again in a moment.' },
  read_model_lagging: { status: 503, text: 'History is catching up. Try again in a moment.' },
  standby: { status: 503, text: 'This server is a standby. Use the primary.' },

  // Authentication: one text, which does not reveal what was wrong
  bad_headers: { status: 401, text: 'Unauthenticated' },
  unknown_key: { status: 401, text: 'Unauthenticated' },
  stale_timestamp: { status: 401, text: 'Unauthenticated' },
  bad_signature: { status: 401, text: 'Unauthenticated' },
  bad_passphrase: { status: 401, text: 'Unauthenticated' },
  key_not_derivable: { status: 400, text: 'Could not derive api key!' },
  key_not_created: { status: 400, text: 'Could not create api key' },
  stale_login: { status: 400, text: 'the wallet signed too long ago' },
  bad_login: { status: 400, text: 'the wallet did not sign this request for a key' },
  scope_conflict: { status: 409, text: 'This nonce already has a key of another scope or name' },
  insufficient_scope: { status: 403, text: 'This API key may not do that' },
  account_banned: { status: 403, text: 'address banned', detailed: "'{address}' address banned" },
  bad_proxy_signature: { status: 400, text: 'the owner did not sign for a proxy wallet' },
  wallet_taken: { status: 409, text: 'this address is an account, or a wallet of another owner or kind' },
  too_many_wallets: { status: 409, text: 'too many wallets' },
  proxy_wallet_missing: { status: 403, text: 'Deploy your proxy wallet before trading' },

  // Venue and condition
  venue_paused: { status: 503, text: 'Trading is currently disabled.' },
  cancel_only: { status: 503, text: 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.' },
  post_only_mode: { status: 503, text: 'post-only mode: only post-only orders and cancels are allowed' },
  unknown_token: { status: 404, text: 'No orderbook exists for the requested token id' },
  unknown_market: { status: 404, text: 'market not found' },
  unknown_event: { status: 404, text: 'event not found' },
  market_closed: { status: 409, text: 'the market is closed' },
  market_paused: { status: 409, text: 'the market is paused' },
  event_incomplete: { status: 409, text: 'not every market of this event is registered' },

  // Placing
  owner_mismatch: { status: 400, text: 'the order owner has to be the owner of the API KEY' },
  signer_mismatch: { status: 400, text: 'the order signer address has to be the address of the API KEY' },
  bad_order_signature: { status: 400, text: 'Invalid order signature' },
  wrong_exchange_domain: { status: 400, text: 'the order is signed for another exchange contract' },
  order_version_mismatch: { status: 400, text: 'order_version_mismatch' },
  invalid_price_tick: {
    status: 400,
    text: 'order is invalid. Price breaks minimum tick size rule',
    detailed: 'order {id} is invalid. Price ({price}) breaks minimum tick size rule: {tick}',
  },
  price_out_of_range: { status: 400, text: 'invalid price', detailed: 'invalid price ({price}), min: {min} - max: {max}' },
  size_too_small: {
    status: 400,
    text: 'order is invalid. Size lower than the minimum',
    detailed: 'order {id} is invalid. Size ({size}) lower than the minimum: {min}',
  },
  size_too_large: { status: 400, text: 'order is invalid. Size larger than the maximum' },
  invalid_amount_precision: {
    status: 400,
    text: 'invalid amounts, too many decimals',
    detailed:
      'invalid amounts, the {kind} maker amount supports a max accuracy of {maker} decimals, taker amount a max of {taker} decimals',
  },
  invalid_amount: { status: 400, text: 'invalid amount' },
  amount_too_small: {
    status: 400,
    text: 'invalid amount for a marketable order, below the minimum',
    detailed: 'invalid amount for a marketable {side} order ({amount}), min size: {min}',
  },
  invalid_expiration: { status: 400, text: 'invalid expiration', detailed: 'invalid expiration: {why}' },
  post_only_type: { status: 400, text: 'invalid post-only order: only GTC and GTD orders can be post-only' },
  post_only_would_cross: { status: 400, text: 'invalid post-only order: order crosses book' },
  fok_not_filled: { status: 400, text: "order couldn't be fully filled. FOK orders are fully filled or killed." },
  fak_no_match: {
    status: 400,
    text: 'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
  },
  self_trade: { status: 400, text: 'the order would trade with another order of the same owner' },
  insufficient_balance: {
    status: 400,
    text: 'not enough balance / allowance',
    detailed:
      'not enough balance / allowance: the balance is not enough -> balance: {balance}, sum of active orders: {reserved}, sum of matched orders: 0, order amount (inc. fees): {required}',
  },
  insufficient_shares: {
    status: 400,
    text: 'not enough balance / allowance',
    detailed:
      'not enough balance / allowance: the balance is not enough -> balance: {balance}, sum of active orders: {reserved}, sum of matched orders: 0, order amount (inc. fees): {required}',
  },
  too_many_orders: { status: 400, text: 'too many open orders' },
  duplicate_order: { status: 409, text: 'order is invalid. Duplicated.', detailed: 'order {id} is invalid. Duplicated.' },
  client_order_id_conflict: { status: 409, text: 'this client order id names another order' },

  // Cancelling and amending
  order_not_found: { status: 404, text: 'Order not found' },
  order_not_owned: { status: 403, text: 'Order belongs to another user' },
  order_ended: { status: 409, text: 'Order is already filled or cancelled' },
  cancel_failed: { status: 500, text: 'Unable to cancel this order right now' },
  stale_heartbeat: { status: 400, text: 'Invalid heartbeat id' },
  only_if_unmet: { status: 409, text: 'the order to replace is not as only_if asks' },
  not_smaller: { status: 400, text: 'an order can only be made smaller' },

  // Positions and operator
  condition_exists: { status: 409, text: 'this question is registered with other content' },
  condition_not_open: { status: 409, text: 'the market is not open' },
  condition_not_resolved: { status: 409, text: 'the market is not resolved' },
  condition_not_empty: { status: 409, text: 'the book of this market is not empty yet' },
  condition_not_owned: { status: 403, text: 'the market was created by another address' },
  invalid_weight: { status: 400, text: 'invalid payout weights' },
  event_full: { status: 409, text: 'the event has all its markets' },
  duplicate_ref: { status: 409, text: 'this reference was used with other content' },
  not_from_chain: {
    status: 409,
    text: 'money comes through the vault: the settler credits a deposit under deposit:CHAIN:VAULT:NUMBER, and nothing is credited by hand',
  },
  unknown_ref: { status: 404, text: 'unknown reference' },
  supply_exceeded: { status: 400, text: 'the venue cannot hold that much money' },
  faucet_limit: { status: 429, text: 'The faucet gives at most 100000 a day to one address' },

  // Platform: its texts end with a full stop
  invalid_status_filter: { status: 400, text: 'Invalid status filter.' },
  invalid_sort_filter: { status: 400, text: 'Invalid sort filter.' },
  missing_condition_id: { status: 400, text: 'Missing conditionId.' },
  missing_market: { status: 400, text: 'Missing market parameter.' },
  event_not_found: { status: 404, text: 'Event not found.' },
  market_not_found: { status: 404, text: 'Market not found.' },
  event_paused: { status: 409, text: 'The event is paused. Resume it first, then pause the markets that should not trade.' },
  window_fixed: { status: 409, text: 'A window of a price series ends when its series says.' },
  resolution_conflict: {
    status: 409,
    text: 'The resolution of this market does not allow that now.',
    detailed: 'The resolution of this market does not allow that: it is {status}.',
  },

  // Price reference
  series_slug_required: { status: 400, text: 'seriesSlug is required' },
  event_end_required: { status: 400, text: 'eventEndMs is required and must be a positive unix millisecond timestamp' },
  series_not_found: {
    status: 404,
    text: 'series_slug not configured in price-reference',
    detailed: 'series_slug not configured in price-reference: {slug}',
  },
  price_series_fixed: { status: 409, text: 'What a price series is about never changes: make another.' },

  // Sessions
  unauthenticated: { status: 401, text: 'Unauthenticated.' },
  admin_required: { status: 403, text: 'Unauthorized. Admin access required.' },
  foreign_origin: { status: 403, text: 'Requests from other sites are refused.' },
  step_up_required: { status: 403, text: 'Confirm that it is you to continue.' },
  other_wallet: { status: 403, text: 'Sign with the wallet that you signed in with.' },
  trading_not_enabled: { status: 403, text: 'Enable trading to continue.' },
  withdrawal_limit: { status: 400, text: 'This is more than you may take out in a day.' },
  withdrawal_destination: {
    status: 400,
    text: 'Money cannot be sent to this address.',
    detailed: 'Money cannot be sent to this address: {why}.',
  },
  no_chain: { status: 404, text: 'This site takes no deposits on a chain.' },
  chain_unavailable: { status: 503, text: 'The chain does not answer. Try again in a moment.' },
  withdrawal_not_found: { status: 404, text: 'Withdrawal not found.' },
  withdrawal_gone_on: { status: 409, text: 'This withdrawal no longer waits.' },
  comment_not_found: { status: 404, text: 'Comment not found.' },
  taking_break: {
    status: 403,
    text: 'You are taking a break from trading.',
    detailed: 'You are taking a break from trading until {until}.',
  },
  own_limit: { status: 403, text: 'This order is larger than the limit that you set for yourself.' },
  notification_not_found: { status: 404, text: 'Notification not found.' },
  dead_letter_not_found: { status: 404, text: 'There is no such failure.' },
  job_not_found: { status: 404, text: 'There is no such job.' },
  session_not_found: { status: 404, text: 'Session not found.' },

  // Admin
  claim_invalid: { status: 403, text: 'This link was used, or it has expired.' },
  own_admin: { status: 409, text: 'Another admin has to do this.' },
  second_admin_missing: { status: 409, text: 'This takes two independent admins. Add their wallets to ADMIN_WALLETS.' },
  admin_in_settings: { status: 409, text: 'ADMIN_WALLETS names this wallet: take it off there.' },
  entry_not_found: { status: 404, text: 'Entry not found.' },
  cannot_undo: { status: 409, text: 'This cannot be undone.' },
  changed_meanwhile: { status: 409, text: 'This was changed meanwhile. Load it again.' },
  invalid_sort_by: { status: 400, text: 'Invalid sortBy parameter' },
  missing_slug: { status: 400, text: 'Missing slug' },
  slug_taken: { status: 409, text: 'This slug is taken.' },
  user_not_found: { status: 404, text: 'User not found.' },
  username_reserved: { status: 409, text: 'This username could be taken for the site itself. Choose another one.' },
  username_taken: { status: 409, text: 'This username is taken.' },
  rules_only_grow: {
    status: 409,
    text: 'These markets have trades or open orders: what they ask stays as it is, and rules can only be added to.',
  },
  category_not_found: { status: 404, text: 'Category not found.' },
  category_loop: { status: 409, text: 'A category cannot be below itself.' },
  locale_unknown: { status: 400, text: 'The site does not speak this language.' },
  theme_not_found: { status: 404, text: 'Theme not found.' },
  contrast_too_low: { status: 409, text: 'Some colours are too close to each other to be read.' },
  image_unusable: { status: 400, text: 'This file is not a usable image.' },
  openrouter_missing: { status: 400, text: 'OpenRouter is not configured.' },
  model_budget_spent: { status: 409, text: 'The daily budget for the model is used up.' },
  model_failed: { status: 502, text: 'The model did not answer as it should. Try again, or write it yourself.' },
  email_missing: { status: 400, text: 'Set an email address first.' },
  email_not_sent: { status: 502, text: 'The email could not be sent. Check the address, or try again later.' },
  email_link_invalid: { status: 400, text: 'This link is no longer valid. Ask for another.' },
  swap_missing: { status: 400, text: 'Swaps are not configured.' },
  swap_token_unknown: { status: 400, text: 'This token cannot be swapped.' },
  swap_no_route: { status: 404, text: 'There is no route for this amount. Try another amount or token.' },
  swap_failed: { status: 502, text: 'The swap service did not answer as it should. Try again in a moment.' },
  draft_not_found: { status: 404, text: 'Draft not found.' },
  event_series_not_found: { status: 404, text: 'There is no such recurring event.' },
  draft_unready: { status: 409, text: 'The draft has faults that keep it from being published.' },
  draft_published: { status: 409, text: 'The draft is being published, or was.' },

  // Wallet sign-in: which part of the message was wrong
  message_malformed: {
    status: 401,
    text: 'The sign-in message does not follow ERC-4361.',
    detailed: 'The sign-in message does not follow ERC-4361: check its {part}.',
  },
  message_not_canonical: {
    status: 401,
    text: 'The sign-in message is not written as ERC-4361 writes it.',
    detailed: 'The sign-in message is not written as ERC-4361 writes it: check its {part}.',
  },
  wrong_domain: { status: 401, text: 'The domain of the sign-in message is not this site.' },
  wrong_uri: { status: 401, text: 'The URI of the sign-in message is not on this site.' },
  wrong_version: { status: 401, text: 'The version of the sign-in message is not 1.' },
  wrong_address: {
    status: 401,
    text: 'The address of the sign-in message is not the one sent with it, or the one that its nonce was issued for.',
  },
  wrong_chain: {
    status: 401,
    text: 'The chain ID of the sign-in message is not the one sent with it, or the one that its nonce was issued for.',
  },
  chain_not_allowed: { status: 401, text: 'The chain ID of the sign-in message is not one that this site accepts.' },
  message_stale: {
    status: 401,
    text: 'The issued-at time of the sign-in message is more than five minutes from now, or its not-before time has not come yet.',
  },
  message_expired: { status: 401, text: 'The expiration time of the sign-in message has passed.' },
  statement_too_long: { status: 401, text: 'The statement of the sign-in message is longer than 300 characters.' },
  bad_wallet_signature: { status: 401, text: 'The signature of the sign-in message was not made by its address.' },
  nonce_unknown: { status: 401, text: 'The nonce of the sign-in message was not issued to this browser.' },
  nonce_used: { status: 401, text: 'The nonce of the sign-in message was already used. Request a new one for each attempt.' },
  nonce_expired: { status: 401, text: 'The nonce of the sign-in message has expired.' },

  ...passkeyRefusals,

  // The second factor: one text, which does not reveal what was wrong
  second_factor_not_pending: { status: 401, text: 'Sign-in failed.' },
  second_factor_failed: { status: 401, text: 'Sign-in failed.' },
  second_factor_locked: { status: 401, text: 'Sign-in failed.' },
  clock_set_back: { status: 503, text: 'The clock of this site was set back. Use a recovery code, or try again later.' },
  two_factor_enabled: { status: 409, text: 'Two-factor authentication is already on.' },
  two_factor_not_enrolled: { status: 409, text: 'Two-factor authentication is not set up.' },
} as const satisfies Record<string, Refusal>

/** Stable code of a refusal, safe to `switch` on. */
export type RefusalCode = keyof typeof list

/** Code → HTTP status and text. */
export const refusals: Readonly<Record<RefusalCode, Refusal>> = list

/** Every code, for tables in tests and documents. */
export const refusalCodes = Object.keys(list) as RefusalCode[]

/** Text of a refusal; the detailed one when all its values are given. */
export function refusalText(code: RefusalCode, values: Readonly<Record<string, string | number>> = {}): string {
  const { text, detailed } = refusals[code]
  if (!detailed) return text
  const names = [...detailed.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  if (!names.every((name) => Object.hasOwn(values, name))) return text
  return detailed.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
