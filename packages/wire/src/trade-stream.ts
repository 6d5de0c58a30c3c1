import { z } from 'zod'
import { deadManOperations } from './operations/dead-man.ts'
import { orderOperations } from './operations/orders.ts'
import { address, apiKey, checksumAddress } from './scalars.ts'

/**
 * The socket `/ws/trade`: operations of the table as frames `{id, op, body}`, after one login. The row of an operation says which word names it
 * here, and what its body and its answer are.
 */

const tables = { ...orderOperations, ...deadManOperations }
type Tables = typeof tables

/** Rows of the operations that `/ws/trade` takes, by name. */
export type TradingTable = {
  [Name in keyof Tables as Tables[Name] extends { trading: string } ? Name : never]: Extract<Tables[Name], { trading: string }>
}
export type TradingName = keyof TradingTable

/** The operations that `/ws/trade` takes, by name: the rows that have a word for it. */
export const tradingOperations = Object.fromEntries(Object.entries(tables).filter(([, row]) => 'trading' in row)) as TradingTable

/** Names of these operations by their word on the socket. */
export const tradingWords: ReadonlyMap<string, TradingName> = new Map(
  Object.entries(tradingOperations).map(([name, { trading }]) => [trading, name as TradingName]),
)

/** The word of the first frame. */
export const LOGIN = 'login'

/** Chosen by the client, which gets the answer under it. One that is under way may not be used again. */
export const frameId = z.union([z.int().min(0), z.string().min(1).max(64)])
export type FrameId = z.output<typeof frameId>

/** What every frame of a client is made of; `body` is the body of the operation over REST. */
export const tradeFrame = z.strictObject({ id: frameId, op: z.string().max(32), body: z.unknown().optional() })

/** The content of the five signed headers of a `GET` of `/ws/trade`; `address` may be left out. What is misspelt is refused. */
export const tradeLogin = z.strictObject({
  key: apiKey,
  passphrase: z.string().max(256),
  timestamp: z.string().max(16),
  signature: z.string().max(64),
  address: address.optional(),
  cancel_on_disconnect: z.boolean().optional().describe('Whether the end of the socket cancels all open orders of the account.'),
})

/** Whether a socket that logs in by the headers of its upgrade cancels on disconnect. */
export const tradeQuery = z.strictObject({ cancel_on_disconnect: z.enum(['true', 'false']).optional() })

const limits = z.string().describe('As the header of the same name over REST.')
/** Headers of an answer over REST that an answer here has, too. */
export const answerHeaders = z
  .strictObject({
    RateLimit: limits,
    'RateLimit-Policy': limits,
    'Retry-After': limits,
    'Idempotent-Replayed': limits,
  })
  .partial()

const answer = {
  seq: z.int().describe('Position in the log up to which the exchange had applied commands when it answered.'),
  headers: answerHeaders,
}

/** The answer to the login; its `id` is null after a login by the headers of the upgrade. */
const loggedIn = z
  .strictObject({
    id: frameId.nullable(),
    op: z.literal(LOGIN),
    status: z.literal(200),
    ...answer,
    body: z.strictObject({ account: checksumAddress, epoch: z.int(), cancel_on_disconnect: z.boolean() }),
  })
  .meta({ title: 'loggedIn' })

/** A refusal. Its `id` is null where the frame had none that could be read, and where the service closes the socket by itself. */
const refused = z
  .strictObject({
    id: frameId.nullable(),
    op: z.string().optional(),
    status: z.int().min(400).max(599),
    ...answer,
    body: z.looseObject({ error: z.string(), code: z.string() }),
  })
  .meta({ title: 'refused' })

const rows = Object.values(tradingOperations)
const one = <Word extends string>(word: Word) => z.literal(word)

/** Everything the service sends on `/ws/trade`. */
export const tradeReply = z.union([
  loggedIn,
  ...rows.map((row) =>
    z
      .strictObject({ id: frameId, op: one(row.trading), status: z.literal(200), ...answer, body: row.output as z.ZodType })
      .meta({ title: `${row.trading}Answer` }),
  ),
  refused,
])

/** Everything a client sends on `/ws/trade`, beside the text `PING`, which is answered by `PONG`. */
export const tradeRequest = z.union([
  z.strictObject({ id: frameId, op: z.literal(LOGIN), body: tradeLogin }).meta({ title: LOGIN }),
  ...rows.map((row) =>
    z
      .strictObject({ id: frameId, op: one(row.trading), ...('body' in row ? { body: row.body as z.ZodType } : {}) })
      .meta({ title: row.trading }),
  ),
])

/** A frame of the service, as far as clients depend on it. */
export const tradeAnswer = z.object({
  id: frameId.nullable(),
  op: z.string().optional(),
  status: z.int(),
  seq: z.int(),
  headers: answerHeaders,
  body: z.unknown(),
})
export type TradeAnswer = z.output<typeof tradeAnswer>
