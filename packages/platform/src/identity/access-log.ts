import type { Operation } from '@augury/wire/operation'
import type { RefusalCode } from '@augury/wire/refusals'
import { ServiceError } from '@augury/wire/service-error'
import { LetterError } from '../outbound/mailer.ts'
import type { Admission } from './admission.ts'

/** Steps by which somebody comes in, leaves, or says again who they are: each attempt is of note. */
const STEPS: ReadonlySet<string> = new Set([
  ...['signIn', 'verifyTotp', 'enrollTwoFactor', 'confirmTwoFactor', 'disableTwoFactor', 'signOut', 'endSession', 'adminClaim'],
  ...['saveTradingCredentials', 'deleteTradingCredentials', 'requestWithdrawal', 'cancelWithdrawal'],
])

/** Somebody came in, was kept out, or was let down by a service outside. Nothing of it is a text that the caller chose, nor a secret. */
export interface Access {
  operation: string
  /** Id of the member, where one is known. */
  actor: string | null
  result: 'passed' | 'second_factor_pending' | RefusalCode
  clientAddress: string
  requestId: string
  /** What the service outside did wrong; only where one did. */
  reason?: string
}

/** Hears of every access of note. */
export type OnAccess = (access: Access) => void

/** Does the work of an operation, and tells what became of it where that lets somebody in or keeps somebody out. */
export async function noted<Output>(
  name: string,
  { auth }: Pick<Operation, 'auth'>,
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
  } catch (error) {
    if (error instanceof ServiceError) {
      if (error.status === 502) tell(error.code, door.member, { reason: reasonOf(error) })
      else if (STEPS.has(name) || isKeptOut(error, auth)) tell(error.code)
    }
    throw error
  }
}

/** A page that asks before anybody has signed in is kept out of nothing; who knocks at doors for few is. */
const isKeptOut = ({ status }: ServiceError, auth: Operation['auth']): boolean =>
  status === 403 || status === 429 || (status === 401 && (auth === 'admin' || auth === 'scheduler'))

/** Why a service outside was of no use: what the caller was told of it, or what only the log is told. */
const reasonOf = ({ details, cause }: ServiceError): string =>
  (details as { reason: string } | undefined)?.reason ?? (cause instanceof LetterError ? cause.message : '')
