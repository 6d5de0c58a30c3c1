import { accessSync, constants } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

/** Schemas for the text of variables. Each parses it into a value, or says what it must be. */

/** `1`, `true`, `yes` or `0`, `false`, `no`. */
export const flag = z
  .enum(['1', 'true', 'yes', '0', 'false', 'no'], 'must be 1 or 0')
  .transform((text) => text === '1' || text === 'true' || text === 'yes')

/** A TCP port. */
export const port = integer(1, 65_535, 'must be a port number from 1 to 65535')

/** A duration of up to a week, in seconds. */
export const seconds = integer(0, 604_800, 'must be a number of seconds from 0 to 604800')

/** A number of blocks. */
export const blocks = integer(0, 10_000, 'must be a number of blocks from 0 to 10000')

/** An amount of USDC, as millionths. */
export const usdc = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount of USDC below a billion, such as 100 or 0.5')
  .transform((text) => {
    const [whole = '', part = ''] = text.split('.')
    return Number(whole + part.padEnd(6, '0'))
  })

/** An EVM chain id. */
export const chainId = integer(1, Number.MAX_SAFE_INTEGER, 'must be a chain number')

/** A project id of WalletConnect. */
export const projectId = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')

/** A short text without line breaks. */
export const label = z
  .string()
  .trim()
  .regex(/^[^\p{C}]{1,40}$/u, 'must be a text of at most 40 characters')

/** A domain name in lower case. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, 'must be a domain name')

/** A URL of one of these protocols, without a trailing slash. */
export const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => protocols.some((name) => text.toLowerCase().startsWith(`${name}://`)),
      `must be an address that starts with ${protocols.map((name) => `${name}://`).join(' or ')}`,
    )
    .refine(isReadable, 'must be an address whose user and password are percent-encoded: @ as %40, / as %2F, # as %23, % as %25')
    .transform((text) => text.replace(/\/$/, ''))

/** Whether an address can be parsed, and its user and password decoded. */
function isReadable(text: string): boolean {
  try {
    const { username, password } = new URL(text)
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

/** Parameters of a PostgreSQL connection URL that name files. */
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** The connection URL of a PostgreSQL database. */
export const database = url('postgres', 'postgresql')
  .refine((text) => new URL(text).pathname.length > 1, 'must name a database, as in postgres://user:password@host/name')
  .refine(
    (text) => TLS_FILES.every((name) => canRead(new URL(text).searchParams.get(name))),
    `must name files that can be read in ${TLS_FILES.join(', ')}`,
  )

function canRead(file: string | null): boolean {
  try {
    if (file !== null) accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Scheme, host and port of a site, as browsers send it in `Origin`. */
export const origin = url('http', 'https').refine(
  (text) => new URL(text).origin === text,
  'must be an origin such as https://example.org, without a path',
)
/** An EVM address. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')

/** Comma-separated EVM addresses, in lower case. */
export const addresses = list(
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be addresses of 0x and 40 hex digits, separated by commas')
    .transform((text) => text.toLowerCase() as `0x${string}`),
)

/** Comma-separated IP addresses and CIDR ranges. */
export const networks = list(z.string().refine(isNetwork, 'must be IP addresses or ranges such as 10.0.0.0/8, separated by commas'))

/** An e-mail address. */
export const mailbox = z.email('must be an e-mail address')

/** A path, made absolute. */
export const folder = z.string().transform((text) => resolve(text))

/** A name or address to listen on. */
export const host = z.string().regex(/^[a-zA-Z0-9.:-]+$/, 'must be a host name or an IP address')

/** A secret text of at least 32 bytes. */
export const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, 'must have at least 32 bytes')

/** The private key of an EVM wallet. */
export const walletKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text as `0x${string}`)

/** An encryption key of 32 bytes, with the id that its ciphertexts carry. */
export interface RingKey {
  id: string
  key: Buffer
}

/** Comma-separated `id:64 hex digits`. The first encrypts; all of them decrypt. */
export const keyRing = list(
  z
    .string()
    .regex(/^[a-z0-9]{1,16}:[0-9a-fA-F]{64}$/, 'must be id:key pairs, a key being 64 hex digits, separated by commas')
    .transform((text): RingKey => ({ id: text.split(':')[0]!, key: Buffer.from(text.split(':')[1]!, 'hex') })),
).refine((keys) => keys.length > 0 && new Set(keys.map(({ id }) => id)).size === keys.length, 'must hold at least one key and no id twice')

/** Comma-separated seeds of signing keys, 64 lower-case hex digits each; the first signs. */
export const seeds = list(
  z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be keys of 64 hex digits, separated by commas')
    .toLowerCase(),
).refine((keys) => keys.length > 0 && new Set(keys).size === keys.length, 'must hold at least one key and none twice')

/** Source of reference prices: none, a simulated feed, an exchange's candles, or an oracle's updates. */
export type OracleAddress = { kind: 'none' } | { kind: 'simulated' } | { kind: 'candles' | 'updates'; url: string }

/** `none`, `simulated`, or `KIND:URL` of a price service. */
export const oracle = z
  .string()
  .regex(/^(none|simulated|(candles|updates):https?:\/\/.+)$/, 'must be none, simulated, candles:https://… or updates:https://…')
  .transform((text): OracleAddress => {
    if (text === 'none' || text === 'simulated') return { kind: text }
    const [kind, url] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]
    return { kind: kind as 'candles' | 'updates', url: url.replace(/\/$/, '') }
  })
  .refine((address) => !('url' in address) || URL.canParse(address.url), 'must have an address after the colon')

function integer(lowest: number, highest: number, complaint: string) {
  return z
    .string()
    .regex(/^\d{1,16}$/, complaint)
    .transform(Number)
    .refine((value) => value >= lowest && value <= highest, complaint)
}

function list<Item extends z.ZodType<unknown, string>>(item: Item) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(item))
}

function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
}
