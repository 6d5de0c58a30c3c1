/** Limits of the service that clients may rely on. */

/** Largest request body in bytes, unless its operation has another limit. */
export const BODY_LIMIT = 64 * 1024
/** Largest body of a batch, in bytes. */
export const BATCH_BODY_LIMIT = 128 * 1024
/** Maximum nesting of a JSON body. */
export const JSON_DEPTH = 8

/** Levels per side in `POST /books`. */
export const BOOK_LEVELS = 12
/** Legs of `POST /orders`. */
export const ORDER_BATCH = 15
/** Ids of `DELETE /orders`. */
export const CANCEL_BATCH = 1000
/** Tokens of a public batch. */
export const TOKEN_BATCH = 500
/** Ids of `POST /data/orders` and conditions of `POST /data/volumes`. */
export const LOOKUP_BATCH = 500

/** Deposits in one request of an operator. */
export const DEPOSIT_BATCH = 250

/** Seconds that a signed timestamp may differ from the server's clock, either way. */
export const CLOCK_WINDOW_SECONDS = 30
/** Per minute in the default tier: cancels of single orders, calls of `POST /books`, and registrations of keys and wallets. */
export const CALLS_PER_MINUTE = 100
/** Orders, and changes of orders and positions, that an account sends in any ten seconds in the default tier. */
export const ORDERS_IN_TEN_SECONDS = 2000
/** Beats and changes of a dead-man switch in any five seconds in the default tier. */
export const BEATS_IN_FIVE_SECONDS = 20
/** Calls of `DELETE /orders` a minute. */
export const BATCH_CANCELS_PER_MINUTE = 60
/** Pages of an account's events a minute: 600 000 events, more than any account has in that time. */
export const EVENT_PAGES_PER_MINUTE = 1200
/** Pages of the public history a minute: 1.5 million facts. */
export const FACT_PAGES_PER_MINUTE = 300

/** Conditions one market socket may follow. */
export const SOCKET_CONDITIONS = 200
/** Tokens that one market socket of the established dialect may follow. */
export const COMPAT_SOCKET_TOKENS = 1000
/** Subscriptions of one tRPC socket at a time. */
export const SOCKET_SUBSCRIPTIONS = 20
/** Subscriptions of all tRPC sockets of a client address at a time. Each gets messages that are encoded for it alone. */
export const ADDRESS_SUBSCRIPTIONS = 100
/** Accounts one user socket may follow. */
export const SOCKET_ACCOUNTS = 1000
/** Milliseconds that a user socket has to log in. */
export const LOGIN_MS = 5000
/** Milliseconds between heartbeats of a stream. */
export const HEARTBEAT_MS = 5000
/** Close codes of the streams. */
export const CLOSE = {
  failed: 1011,
  draining: 1013,
  unauthenticated: 4001,
  malformed: 4002,
  slow: 4008,
  tooManySubscriptions: 4009,
} as const
/** Frames of one trading socket that are under way at once; the next ones wait in its connection. */
export const FRAMES_UNDER_WAY = 256
/** Frames without a readable id that a trading socket may send before it is closed. */
export const MALFORMED_FRAMES = 20

/** Default and largest page size of a list. */
export const PAGE = 100
export const PAGE_MAX = 500
/** Largest offset, and largest page, of lists in the established dialect. */
export const OFFSET_MAX = 10_000
export const COMPAT_PAGE_MAX = 10_000
/** Most markets that a member's own positions, or what changed them, are narrowed to. */
export const OWN_MARKETS = 20
/** Most markets in one list of trades. */
export const TRADED_MARKETS = 100
/** Cursor of the first page, and the one after the last page. */
export const FIRST_CURSOR = 'MA=='
export const LAST_CURSOR = 'LTE='

/** Largest deposit of the sandbox's faucet per address and day, in USDC. */
export const FAUCET_USDC = 100_000

/** Timeouts of the dead-man switch in milliseconds: default, minimum, maximum, and the grace for a late heartbeat. */
export const DEAD_MAN = { usualMs: 10_000, leastMs: 1000, mostMs: 300_000, graceMs: 5000 } as const
/** Default and largest page of events and markets in the shape of the established discovery service, and how many a minute. */
export const CATALOGUE_PAGE = 100
export const CATALOGUE_PAGE_MAX = 1000
export const CATALOGUE_PAGES_PER_MINUTE = 300
/** Default and largest page of events of a search, and the last page. */
export const SEARCH_PAGE = 50
export const SEARCH_PAGE_MAX = 100
export const DEEPEST_SEARCH = 200
/** Largest offset in lists of events and comments, as each skipped row costs a read. */
export const DEEPEST_EVENT = 10_000
/** Largest offset in a list of account activity. */
export const DEEPEST_ACTIVITY = 20_000
/** Lines that a chart shows at most. */
export const CHART_LINES = 12
