/** Bounds of the service that clients may rely on. */

/** Bytes of a request body unless its operation says otherwise. */
export const BODY_LIMIT = 64 * 1024
/** Bytes of a body that may hold a batch. */
export const BATCH_BODY_LIMIT = 128 * 1024
/** How deep a JSON body may nest. */
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

/** Seconds a signed timestamp may lie from the server's clock, either way. */
export const CLOCK_WINDOW_SECONDS = 30
/** Cancels of single orders, calls of `POST /books`, and of keys and wallets that are registered, a minute in the default tier. */
export const CALLS_PER_MINUTE = 100
/** Calls of `DELETE /orders` a minute. */
export const BATCH_CANCELS_PER_MINUTE = 60
/** Pages of the public history a minute: a million facts and a half. */
export const FACT_PAGES_PER_MINUTE = 300

/** Conditions one market socket may follow. */
export const SOCKET_CONDITIONS = 200
/** Subscriptions of one tRPC socket at a time. */
export const SOCKET_SUBSCRIPTIONS = 20
/** Accounts one user socket may follow. */
export const SOCKET_ACCOUNTS = 1000
/** Milliseconds that a user socket has to log in. */
export const LOGIN_MS = 5000
/** Milliseconds between heartbeats of a stream. */
export const HEARTBEAT_MS = 5000
/** Close codes of the streams. */
export const CLOSE = { draining: 1013, unauthenticated: 4001, slow: 4008, tooManySubscriptions: 4009 } as const

/** Page size of a list and the most a caller may ask for. */
export const PAGE = 100
export const PAGE_MAX = 500
/** Cursors of the first and of no further page. */
export const FIRST_CURSOR = 'MA=='
export const LAST_CURSOR = 'LTE='

/** Largest deposit of the sandbox's faucet per address and day, in USDC. */
export const FAUCET_USDC = 100_000

/** Milliseconds of a dead-man switch: without a word, at least, at most, and what a late heartbeat has beyond. */
export const DEAD_MAN = { usualMs: 10_000, leastMs: 1000, mostMs: 300_000, graceMs: 5000 } as const
/** Events, or comments, that a list of them can skip: each costs a look. */
export const DEEPEST_EVENT = 10_000
/** Changes of what somebody has that their list can skip. */
export const DEEPEST_ACTIVITY = 20_000
