import type { Operation } from '@augury/wire/operation'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { LetterError } from '../outbound/mailer.ts'
import { withoutDatabase } from '../site/database-away.ts'
import type { Admission } from './admission.ts'

/** Operations that change who has access: every attempt is logged. */
const STEPS: ReadonlySet<string> = new Set([
  'signIn',
  'passkeySignUp',
  'passkeySignIn',
  'recoverAccount',
  'addPasskey',
  'removePasskey',
  'renewAccountCodes',
  'linkWallet',
  'unlinkWallet',
  'verifyTotp',
  'enrollTwoFactor',
  'confirmTwoFactor',
  'disableTwoFactor',
  'signOut',
  'endSession',
  'adminClaim',
  'saveTradingCredentials',
  'enableTrading',
  'deleteTradingCredentials',
  'requestWithdrawal',
  'cancelWithdrawal',
])

/**
 * An entry of the access log: access granted or refused, or a failure of an external service. Holds no text of the caller and no secret.
 */
export interface Access {
  operation: string
  /** Id of the member, when known. */
  actor: string | null
  result: 'passed' | 'second_factor_pending' | RefusalCode
  clientAddress: string
  requestId: string
  /** How an external service failed; only when one did. */
  reason?: string
}

/** Called with every entry of the access log. */
export type OnAccess = (access: Access) => void

/**
 * Runs an operation and logs its outcome when it grants or refuses access, or when the database or the exchange is down. Reads fail with
 * `service_unavailable` while the database is down; a change may have been made, so its error stays as it is.
 */
export async function withAccessLog<Output>(
  name: string,
  { auth, method }: Pick<Operation, 'auth' | 'method'>,
  door: Admission,
  onAccess: OnAccess,
  work: () => Promise<Output>,
): Promise<Output> {
  const { clientAddress, requestId } = door.visit
  const tell = (result: Access['result'], actor = door.member, outage?: { reason: string }) =>
    onAccess({ operation: name, actor, result, clientAddress, requestId, ...outage })
  try {
    const output = await work()
    if (STEPS.has(name)) {
      const { user, twoFactorRedirect } = (output ?? {}) as { user?: { id: string }; twoFactorRedirect?: boolean }
      tell(twoFactorRedirect ? 'second_factor_pending' : 'passed', user?.id ?? door.member)
    }
    return output
  } catch (thrown) {
    const error = method === 'GET' ? withoutDatabase(thrown) : thrown
    if (error instanceof ServiceError) {
      if (error.status === 503 && error.cause instanceof Error) tell(error.code, door.member, { reason: error.cause.message })
      else if (error.status === 502) tell(error.code, door.member, { reason: reasonOf(error) })
      else if (STEPS.has(name) || isKeptOut(error, auth)) tell(error.code)
    }
    throw error
  }
}

/** Whether a refusal is worth logging: a page that asks before anybody has signed in is not; a knock at an admin operation is. */
const isKeptOut = ({ status }: ServiceError, auth: Operation['auth']): boolean =>
  status === 403 || status === 429 || (status === 401 && (auth === 'admin' || auth === 'scheduler'))

/** How an external service failed, from the refusal's details or its cause. */
const reasonOf = ({ details, cause }: ServiceError): string =>
  (details as { reason: string } | undefined)?.reason ?? (cause instanceof LetterError ? cause.message : '')
