import type { RefusalCode } from '@augury/wire/refusals'
import { SiweMessage } from 'siwe'
import { getAddress, isAddress } from 'viem'

/** Milliseconds that a message may be older or newer than our clock. */
const WINDOW = 300_000
/** Characters of the statement: what a wallet shows without scrolling. */
const STATEMENT = 300

/** What a sign-in message must contain. */
export interface SignInPolicy {
  /** Origins of the site. */
  origins: readonly string[]
  chains: readonly number[]
  now: Date
}

/** Chains that a message may name: the exchange's, and in a sandbox those that wallets usually use. */
export const signInChains = ({ mode, chainId }: { mode: string; chainId: number }): number[] =>
  mode === 'sandbox' ? [chainId, 1, 137, 31337] : [chainId]

/** Parses a message by the grammar of ERC-4361; null when it does not match. */
export function readMessage(text: string): SiweMessage | null {
  try {
    return new SiweMessage(text)
  } catch {
    return null // the library throws many kinds of errors
  }
}

/** The nonce that a malformed message seems to have, and uses up; empty if it has none. Of others the parsed nonce alone counts. */
export const nonceIn = (text: string): string => /^Nonce: ([A-Za-z0-9]{32})$/m.exec(text)?.[1] ?? ''

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
/** Labelled lines of a message in order, with the form of their values. */
const LINES: readonly [part: string, label: string, form: RegExp, required: boolean][] = [
  ['URI', 'URI', /^[a-z][a-z0-9+.-]*:\S+$/i, true],
  ['version', 'Version', /^1$/, true],
  ['chain ID', 'Chain ID', /^(0|[1-9]\d*)$/, true],
  ['nonce', 'Nonce', /^[A-Za-z0-9]{8,}$/, true],
  ['issued-at time', 'Issued At', TIME, true],
  ['expiration time', 'Expiration Time', TIME, false],
  ['not-before time', 'Not Before', TIME, false],
  ['request ID', 'Request ID', /^\S*$/, false],
]

/** The part of a refused message that is not in the form of ERC-4361, for its sender to look at. */
export function wrongPart(text: string): string {
  const [head = '', address = '', ...rest] = text.split('\n')
  if (!/^\S+ wants you to sign in with your Ethereum account:$/.test(head)) return 'domain'
  if (!isAddress(address, { strict: false }) || getAddress(address) !== address) return 'address'
  for (const [part, label, form, required] of LINES) {
    const values = rest.filter((line) => line.startsWith(`${label}:`)).map((line) => line.slice(label.length + 2))
    if (values.length > 1 || (required && values.length === 0) || values.some((value) => !form.test(value))) return part
    if (form === TIME && values.some((value) => timeOf(value) === null)) return part
  }
  return rest.includes('Resources:') ? 'resources' : 'statement'
}

/** Why a parsed message is not acceptable; null when it is. Does not check signature and nonce. */
export function messageProblem(text: string, message: SiweMessage, { origins, chains, now }: SignInPolicy): RefusalCode | null {
  // The text must be exactly the canonical form of what was parsed: nothing repeated, nothing in between, nothing after it.
  if (written(message) !== text) return 'message_not_canonical'
  if (!isAddress(message.address, { strict: false }) || getAddress(message.address) !== message.address) return 'message_malformed'
  if (!/^[A-Za-z0-9]{32}$/.test(message.nonce)) return 'nonce_unknown'
  const origin = origins.find((own) => new URL(own).host === message.domain)
  if (origin === undefined || (message.scheme !== undefined && `${message.scheme}:` !== new URL(origin).protocol)) return 'wrong_domain'
  if (URL.parse(message.uri)?.origin !== origin) return 'wrong_uri'
  if (message.version !== '1') return 'wrong_version'
  if (!chains.includes(message.chainId)) return 'chain_not_allowed'
  if ((message.statement ?? '').length > STATEMENT) return 'statement_too_long'
  return timeProblem(message, now)
}

function timeProblem({ issuedAt, expirationTime, notBefore }: SiweMessage, now: Date): RefusalCode | null {
  const issued = timeOf(issuedAt)
  if (issued === null || Math.abs(now.getTime() - issued) > WINDOW) return 'message_stale'
  if (notBefore !== undefined && !((timeOf(notBefore) ?? Number.POSITIVE_INFINITY) <= now.getTime())) return 'message_stale'
  if (expirationTime !== undefined && !((timeOf(expirationTime) ?? 0) > now.getTime())) return 'message_expired'
  return null
}

/** Unix milliseconds of a complete date with a time zone; null for any other text, and for days that do not exist. */
function timeOf(text: string | undefined): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text ?? '') ?? []
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return null
  const time = Date.parse(text!)
  return Number.isNaN(time) ? null : time
}

function written(message: SiweMessage): string | null {
  try {
    return message.prepareMessage()
  } catch {
    return null
  }
}
