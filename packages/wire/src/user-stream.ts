import { z } from 'zod'
import { SOCKET_ACCOUNTS, SOCKET_CONDITIONS } from './limits.ts'
import { errorMessage } from './market-stream.ts'
import { order } from './order.ts'
import { address, apiKey, bytes32, checksumAddress } from './scalars.ts'
import { ownTrade } from './trade.ts'

/**
 * The private stream `/ws/user`. A channel is an account, filtered by the requested markets. `seq` is the position in the log, `prev_seq` that of
 * the channel's previous frame: a client whose last frame has another position has missed something, and reads `GET /events`.
 * Nothing is skipped for slow clients. A frame is one message or an array of messages of the same row.
 */

/** `account` is the account concerned; `event_id` is unique for ever, and the same in `GET /events`. */
const about = { account: checksumAddress, event_id: z.string(), timestamp: z.string() }
const place = { seq: z.int(), prev_seq: z.int(), epoch: z.int() }

const orderEvent = order.omit({ seq: true }).extend({
  event_type: z.literal('order'),
  /** An order that was killed or rejected has a cancellation only. */
  type: z.enum(['PLACEMENT', 'UPDATE', 'CANCELLATION']),
  order_owner: z.string(),
  ...about,
})
const tradeEvent = ownTrade.omit({ seq: true }).extend({
  event_type: z.literal('trade'),
  type: z.literal('TRADE'),
  trade_owner: z.string(),
  ...about,
})

/** An order of the account, after a command. */
const userOrderMessage = orderEvent.extend(place)
/** A trade of the account, as taker or as maker. */
const userTradeMessage = tradeEvent.extend(place)

/** An event of an account in `GET /events`: `seq` is the command's position in the log, `epoch` the timeline that wrote it. */
export const accountEvent = z.discriminatedUnion('event_type', [
  orderEvent.extend({ seq: z.int(), epoch: z.int() }),
  tradeEvent.extend({ seq: z.int(), epoch: z.int() }),
])

/** Reply to the login and to every change: what is followed, and by checksummed address the position from which each account's frames are chained. */
export const userSubscribedMessage = z.object({
  event_type: z.literal('subscribed'),
  channels: z.record(z.string(), z.int()),
  /** The markets followed. Empty means all, or none if no account is followed. */
  markets: z.array(z.string()),
  /** Those of them that this exchange does not have now: no event of theirs comes before they are registered. */
  unknown: z.array(z.string()).optional(),
  seq: z.int(),
  epoch: z.int(),
})

/** Every 5 s: the last position of the log and of each followed account. */
export const userHeartbeatMessage = z.object({
  event_type: z.literal('heartbeat'),
  timestamp: z.string(),
  seq: z.int(),
  epoch: z.int(),
  channels: z.record(z.string(), z.int()),
})

/** Missed messages are no longer available: read `GET /events` after the last position received, up to this one. */
const userResyncMessage = z.object({ event_type: z.literal('resync'), account: checksumAddress, seq: z.int(), epoch: z.int() })

/** Everything the server may send on `/ws/user`. */
export const userMessage = z.discriminatedUnion('event_type', [
  userSubscribedMessage,
  userOrderMessage,
  userTradeMessage,
  userHeartbeatMessage,
  userResyncMessage,
  errorMessage,
])

/** Accepts more than a socket may follow, so that those within the limit are followed and the others named. */
const markets = z.array(bytes32).max(SOCKET_CONDITIONS * 5)
const accounts = z.array(address).max(SOCKET_ACCOUNTS * 2)

/**
 * Everything a client may send on `/ws/user`, besides the text `PING`, which is answered by `PONG`. What is misspelt is refused: orders would stay
 * where the end of the socket was to cancel them.
 */
export const userRequest = z.union([
  /** The first frame, within 5 s, signed like a `GET` of `/ws/user`. Keys of scope venue may name other accounts. */
  z.strictObject({
    type: z.literal('user'),
    auth: z.object({ key: apiKey, passphrase: z.string().max(256), timestamp: z.string().max(16), signature: z.string().max(64) }),
    markets: markets.optional(),
    accounts: accounts.optional(),
    cancel_on_disconnect: z.boolean().optional(),
  }),
  z.strictObject({ operation: z.enum(['subscribe', 'unsubscribe']), markets: markets.optional(), accounts: accounts.optional() }),
  /** Resumes after `seq`: missed frames are replayed, or else `resync` is sent. */
  z.strictObject({ operation: z.literal('resume'), account: address.optional(), seq: z.int().min(0), epoch: z.int().min(0) }),
])

export type UserMessage = z.output<typeof userMessage>
export type AccountEvent = z.output<typeof accountEvent>
export type UserRequest = z.input<typeof userRequest>
