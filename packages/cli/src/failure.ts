import { NodeError } from '@augury/chain/node-error'
import { formatMicros } from '@augury/client/amounts'
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
  if (error instanceof NodeError) return new Failure(`rpc_${error.kind}`, `the node of the chain: ${error.message}`, 3)
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

/** The texts of details by their names, such as amounts in millionths. */
const textsOf = (details: unknown): Partial<Record<string, string>> =>
  typeof details === 'object' && details !== null
    ? Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === 'string'))
    : {}

/** Details for people: amounts in decimals, or what is wrong with each part of a request, else as JSON. */
function detailLines({ code, details }: Failure): string[] {
  if (details === undefined) return []
  const { available, reserved, required } = textsOf(details)
  if (isLack(code) && available && reserved && required) {
    return [`available ${formatMicros(available)}, in orders ${formatMicros(reserved)}, needed ${formatMicros(required)}`]
  }
  const problems = Array.isArray(details) ? details.map(problemOf) : [null]
  return problems.every((line) => line !== null) ? problems : [JSON.stringify(details)]
}

const isLack = (code: string): boolean => code === 'insufficient_balance' || code === 'insufficient_shares'

/** What is wrong with a part of a request, as one line; null for another kind of detail. */
function problemOf(detail: unknown): string | null {
  const { path, problem } = textsOf(detail)
  if (path === undefined || problem === undefined) return null
  return path === '' ? problem : `${path}: ${problem}`
}

/** What to do about a failure, where its text does not say it. */
function remedyOf({ code, details }: Failure): string | undefined {
  const host = code === 'bad_signature' ? textsOf(details).host : undefined
  if (host !== undefined) return `A wallet signs for one address: the exchange goes by ${host}, so --url has to name that.`
  // An exchange gives each of its refusals a code of its own.
  if (code === 'bad_answer' || code.startsWith('http_')) return 'Is this the address of an exchange? --url or AUGURY_URL says where it is.'
  return remedies[code]
}

/** The text of a failure for people. */
export function explain(failure: Failure): string {
  const { message, code, retryAfter } = failure
  const remedy = remedyOf(failure)
  return [
    // What follows the arrow has the amounts once more, in millionths, for bots.
    `error: ${isLack(code) ? message.split(' -> ')[0] : message} (${code})`,
    ...detailLines(failure).map((line) => `  ${line}`),
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
    ...(retryAfter === undefined ? [] : [`  Try again in ${retryAfter} s.`]),
  ].join('\n')
}
