import { BadAnswerError, NoAnswerError, RefusedError } from '@augury/client/answer'
import { SettingsError } from '@augury/settings/env'

/** A failure of a command, with a message for people and a code for programs. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: string
  readonly exitCode: number
  readonly details: unknown
  /** Seconds to wait before the same again. */
  readonly retryAfter: number | undefined

  constructor(code: string, message: string, exitCode = 1, details?: unknown, retryAfter?: number) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** The failure of an invalid command line. */
export const misuse = (message: string): Failure => new Failure('usage', message, 2)

/** Remedies for refusals whose text does not suggest one, by code. */
const remedies: Readonly<Record<string, string>> = {
  unknown_key: 'The service does not know this API key: log in again with `augury login --force`.',
  bad_signature: 'The secret does not belong to this API key.',
  bad_passphrase: 'The passphrase does not belong to this API key.',
  stale_timestamp: 'Set the clock of this machine.',
  insufficient_scope: 'Log in with a key of a larger scope.',
  insufficient_balance: 'See `augury portfolio`; in a sandbox `augury faucet` gives play money.',
  insufficient_shares: 'See `augury portfolio`; one can only sell what one has.',
  invalid_price_tick: 'See the tick of the market in `augury markets`.',
}

/** Converts an expected error to a failure; rethrows anything else. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof SettingsError) return new Failure('settings', error.message, 2)
  if (error instanceof NoAnswerError) return new Failure('no_answer', `${error.message}: ${reason(error.cause)}`, 3)
  if (error instanceof BadAnswerError) return new Failure('bad_answer', error.message, 3)
  if (error instanceof RefusedError)
    return new Failure(error.code ?? `http_${error.status}`, error.message, 1, error.details, error.retryAfter)
  throw error
}

/** Message of the innermost cause, as `fetch failed` alone says little. */
function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0])
  if (error instanceof Error) return error.cause instanceof Error ? reason(error.cause) : error.message
  return String(error)
}

/** Where a wallet signed for another address than the exchange goes by: which one that is. */
const hostOf = (details: unknown): string | undefined =>
  typeof details === 'object' && details !== null && 'host' in details && typeof details.host === 'string' ? details.host : undefined

/** The text of a failure for people. */
export function explain({ message, code, details, retryAfter }: Failure): string {
  const host = code === 'bad_signature' ? hostOf(details) : undefined
  const remedy =
    host === undefined ? remedies[code] : `A wallet signs for one address: the exchange goes by ${host}, so --url has to name that.`
  return [
    `error: ${message} (${code})`,
    ...(details === undefined ? [] : [`  ${JSON.stringify(details)}`]),
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
    ...(retryAfter === undefined ? [] : [`  Try again in ${retryAfter} s.`]),
  ].join('\n')
}
