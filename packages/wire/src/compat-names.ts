import { z } from 'zod'
import type { Operation } from './operation.ts'
import { querySchema } from './query.ts'

/** Names that established clients use for one query parameter: the first that an operation knows is meant by all others. */
const SAME: readonly (readonly string[])[] = [
  ['market', 'condition_ids', 'condition_id', 'conditionId', 'conditionIds', 'market_id', 'markets'],
  [
    'token_id',
    'asset_id',
    'clob_token_ids',
    'tokenId',
    'tokenID',
    'clob_token_id',
    'clobTokenId',
    'clobTokenIds',
    'asset',
    'assetId',
    'token_ids',
    'tokenIds',
    'asset_ids',
  ],
  ['next_cursor', 'after_cursor', 'cursor', 'nextCursor', 'afterCursor'],
  ['user', 'proxyWallet', 'proxy_wallet', 'user_address', 'address', 'wallet'],
  ['start', 'startTs', 'start_ts', 'after', 'from'],
  ['end', 'endTs', 'end_ts', 'before', 'to'],
  ['eventId', 'event_id'],
  ['takerOnly', 'taker_only'],
  ['maker', 'maker_address', 'makerAddress'],
  ['taker', 'taker_address', 'takerAddress'],
  ['slug', 'slugs', 'market_slug', 'event_slug'],
  ['fidelity', 'resolution'],
]
/** The history of prices calls its token `market`. */
const TOKEN_IS_MARKET = SAME.map((names) => (names[0] === 'token_id' ? ['market', ...names] : names.filter((name) => name !== 'market')))

const isEmpty = (value: unknown): boolean => value === undefined || value === ''

/** A query under the names of its schema. A name of the schema wins over another one for it. */
function renamed(sent: unknown, known: ReadonlySet<string>, same: readonly (readonly string[])[]): unknown {
  if (typeof sent !== 'object' || sent === null) return sent
  const query: Record<string, unknown> = { ...sent }
  for (const name of Object.keys(sent)) {
    if (known.has(name)) continue
    const meant = same.find((names) => names.includes(name))?.find((other) => known.has(other))
    if (meant !== undefined && isEmpty(query[meant])) query[meant] = query[name]
  }
  return query
}

/**
 * The schema of an operation's query below the mount of the established dialect: the names that its clients are known to send mean what they
 * say, and others are ignored.
 */
export function compatQuery(name: string, operation: Operation): z.ZodType {
  const schema = querySchema(operation)
  if (!(schema instanceof z.ZodObject)) throw new Error(`the query of ${name} is no object`)
  const known = new Set(Object.keys(schema.shape))
  const same = name === 'getPriceHistory' ? TOKEN_IS_MARKET : SAME
  return z.preprocess((sent) => renamed(sent, known, same), schema.strip())
}
