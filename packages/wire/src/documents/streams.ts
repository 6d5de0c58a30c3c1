import {
  compatMarketMessage,
  compatMarketRequest,
  compatUserMessage,
  compatUserRequest,
  liveMessage,
  liveRequest,
} from '../compat-stream.ts'
import {
  ADDRESS_SUBSCRIPTIONS,
  CLOSE,
  COMPAT_SOCKET_TOKENS,
  DEAD_MAN,
  FRAMES_UNDER_WAY,
  HEARTBEAT_MS,
  LOGIN_MS,
  SOCKET_CONDITIONS,
  SOCKET_SUBSCRIPTIONS,
} from '../limits.ts'
import { marketMessage, marketRequest } from '../market-stream.ts'
import type { Schema } from '../operation.ts'
import { subscriptionReply, subscriptionRequest } from '../subscriptions.ts'
import { tradeReply, tradeRequest } from '../trade-stream.ts'
import { userMessage, userRequest } from '../user-stream.ts'

/** A frame of plain text instead of JSON. */
export interface TextFrame {
  text: string
  summary: string
}

/** A WebSocket stream of the service. */
export interface StreamDescription {
  path: string
  summary: string
  /** Markdown: how to start, what follows, how it ends. */
  description: string
  /** A union of the messages that the service sends. */
  serverMessages: Schema
  /** A union of the messages that clients send. */
  clientMessages: Schema
  /** Plain-text frames that the service sends, by name. */
  texts?: Readonly<Record<string, TextFrame>>
  /** Whether a frame of the service may be an array of messages. */
  isBatched?: true
  /** Whether the service also asks `PING`, which clients answer. */
  asksBack?: true
}

const NO_REQUEST = { INVALID_OPERATION: { text: 'INVALID OPERATION', summary: 'What was said is no request.' } }

/** Every stream of the order-book service, by name. */
export const venueStreams: Readonly<Record<string, StreamDescription>> = {
  market: {
    path: '/ws/market',
    summary: 'Books and trades of markets, for everybody.',
    description: [
      `Subscribe to at most ${SOCKET_CONDITIONS} conditions or their tokens. The service answers \`subscribed\`, then a \`book\` of each`,
      'token, then changes. A frame is one message or an array of messages of one row of the log. `prev_seq` names the previous frame of',
      'the condition: who holds another one has missed something, and resumes. A heartbeat every 5 s names the last position of each',
      'condition. `checksum` of a `price_change` is the CRC-32 of its first token’s book after it: up to ten bids and ten asks, best first, each',
      'side as `price:size` joined by `,`, with a `|` between the sides. Only with `custom_feature_enabled` a socket hears `best_bid_ask`,',
      '`market_mode`, and, of every market, `market_resolved` and `new_market`. What is beyond the limit is named in an `error`, and what is',
      'followed stays; ids that are none are in `unknown` of `subscribed`.',
      `Close codes: ${CLOSE.slow} too slow, ${CLOSE.draining} come back later.`,
    ].join('\n'),
    serverMessages: marketMessage,
    isBatched: true,
    clientMessages: marketRequest,
  },
  user: {
    path: '/ws/user',
    summary: 'Orders and trades of an account, for its owner.',
    description: [
      `Log in within ${LOGIN_MS / 1000} s by the first message: \`signature\` is that of a \`GET\` of \`/ws/user\` at \`timestamp\`, without a body. The service`,
      'answers `subscribed` with the position from which on each account’s frames follow each other. Nothing is left out or merged: who does',
      'not read is disconnected. After a gap, read `GET /events` after the position you hold; `event_id` tells what you have already. An order',
      'names in `associate_trades` the trades of its own message alone. With',
      '`cancel_on_disconnect` the end of the socket cancels all open orders of the account; such a login counts like a heartbeat. Who answers',
      `no ping for ${(4 * HEARTBEAT_MS) / 1000} s is taken for gone. A socket that the service closes because it may not speak cancels nothing for ${(DEAD_MAN.usualMs + DEAD_MAN.graceMs) / 1000} s.`,
      `Close codes: ${CLOSE.unauthenticated} not or no longer logged in, ${CLOSE.slow} too slow, ${CLOSE.draining} come back later.`,
    ].join('\n'),
    serverMessages: userMessage,
    isBatched: true,
    clientMessages: userRequest,
  },
  trade: {
    path: '/ws/trade',
    summary: 'Orders, cancels and heartbeats of an account as frames of one socket: the fast way in for programs.',
    description: [
      'Operations of REST as frames `{id, op, body}`: `body` is the body of the operation, and the answer has its status, its body, and its headers',
      'about rate limits. Permissions, rate limits, refusals and everything else are those of REST, as both run the same operations.',
      `Log in within ${LOGIN_MS / 1000} s by a frame \`login\`, whose body is the content of the five signed headers of a \`GET\` of \`/ws/trade\` without a body,`,
      'or by these headers in the upgrade itself. Frames may follow at once: they wait for the login. A key of scope trade is needed.',
      'Many frames may be under way; answers come as they are ready, each under the `id` of its frame. Commands are executed in the order in',
      `which their frames arrive on the socket. Of more than ${FRAMES_UNDER_WAY} under way, and while answers are not read, the next ones wait in the connection.`,
      'A refused frame changes nothing, but for `internal_error` and `outcome_unknown`. So it is with frames that have no answer when the socket',
      'ends: send the same body again over another one; an order with a client order ID is never placed twice.',
      'With `cancel_on_disconnect` the end of the socket cancels all open orders of the account; such a login counts like a heartbeat. A client that answers',
      `no ping for ${(4 * HEARTBEAT_MS) / 1000} s is taken for gone. A socket that the service closes because it may not speak cancels nothing for ${(DEAD_MAN.usualMs + DEAD_MAN.graceMs) / 1000} s.`,
      `Close codes: ${CLOSE.unauthenticated} not or no longer logged in, ${CLOSE.malformed} too many frames that are none, ${CLOSE.slow} too slow, ${CLOSE.draining} come back later,`,
      '1009 a frame that is too long.',
    ].join('\n'),
    serverMessages: tradeReply,
    clientMessages: tradeRequest,
  },
  subscriptions: {
    path: '/trpc',
    summary: 'The same streams as subscriptions of tRPC, for its clients.',
    description: [
      'tRPC’s own WebSocket protocol, as its `wsLink` speaks it, for subscriptions only. With `?connectionParams=1` the first message is a',
      'login: `signature` is that of a `GET` of `/trpc` at `timestamp`, without a body. Everything that one row of the log has to say comes as',
      'one array with an `id`; a client that names the last `id` it heard misses nothing: the market goes on from what is kept or with books',
      `anew, the account from its history, however old. At most ${SOCKET_SUBSCRIPTIONS} subscriptions a socket, and ${ADDRESS_SUBSCRIPTIONS} a client address.`,
      'After ten quiet seconds the service asks `PING`; who does not answer `PONG` within ten more is taken for gone.',
      `Close codes: ${CLOSE.slow} too slow, ${CLOSE.draining} come back later; what is refused ends its subscription alone.`,
    ].join('\n'),
    serverMessages: subscriptionReply,
    asksBack: true,
    clientMessages: subscriptionRequest,
  },
  compatMarket: {
    path: '/compat/ws/market',
    summary: 'Books and trades as established clients follow them.',
    description: `The established dialect: no positions. A subscription is answered by an array of whole books, and \`subscribed\` with what is followed; what can never match, or is beyond ${COMPAT_SOCKET_TOKENS} tokens, is named in an \`error\`.`,
    serverMessages: compatMarketMessage,
    isBatched: true,
    clientMessages: compatMarketRequest,
    texts: NO_REQUEST,
  },
  compatUser: {
    path: '/compat/ws/user',
    summary: 'Orders and trades of an account as established clients follow them.',
    description: `The established dialect: the secrets of the key travel in the first message. Each is answered by \`subscribed\`, and by an \`error\` about markets that are none. Close code ${CLOSE.unauthenticated}: no key has these secrets.`,
    serverMessages: compatUserMessage,
    clientMessages: compatUserRequest,
    texts: NO_REQUEST,
  },
  compatLive: {
    path: '/compat/live',
    summary: 'The live-data stream as its established client follows it.',
    description: [
      'Several topics over one socket; `filters` is JSON, in a text or itself: an array of token ids for `clob_market`, and for `activity` an',
      'object with `event_slug`, `market_slug` or `condition_id`. The text `ping` needs no answer: the service pings by the protocol.',
      'A request is answered by `subscribed`, and by an `error` about each topic that is not served and each filter that can match nothing.',
    ].join('\n'),
    serverMessages: liveMessage,
    clientMessages: liveRequest,
  },
}
