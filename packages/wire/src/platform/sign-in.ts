import { z } from 'zod'
import { operation } from '../operation.ts'
import { address } from '../scalars.ts'
import { approval, proofRefused } from './approval.ts'
import { SIGN_IN_SIGNATURE, siweMessage } from './sign-in-message.ts'
import { user } from './user.ts'

/** The token is the value of the session cookie; scripts send it as `Authorization: Bearer`. */
export const signedIn = z.object({ user, token: z.string() })
/** A code of an authenticator. */
export const totpCode = z.string().regex(/^\d{6}$/, 'expected six digits')
const proof = z.union([z.strictObject({ code: totpCode }), z.strictObject({ recoveryCode: z.string().min(1).max(64) })])

/** What a sign-in is for: the nonce is bound to it, and the message must name the same. */
const intended = { walletAddress: address.optional(), chainId: z.int().positive().optional() }

/** Wallet sign-in and the second factor. */
export const signInOperations = {
  issueNonce: operation({
    method: 'POST',
    path: '/api/auth/siwe/nonce',
    auth: 'optional',
    budget: 'signIn',
    summary: 'A nonce for one sign-in attempt, good for five minutes, for the browser that asked, and for the wallet and chain it named.',
    body: z.strictObject(intended).default({}),
    output: z.object({ nonce: z.string() }),
    refusals: ['rate_limited'],
    repeatable: true,
  }),
  signIn: operation({
    method: 'POST',
    path: '/api/auth/siwe/verify',
    auth: 'optional',
    budget: 'signIn',
    summary: 'Signs in with a signed message (ERC-4361), or asks for the second factor. The first time makes the member.',
    body: z.strictObject({
      ...intended,
      message: siweMessage,
      signature: z.string().max(2 * SIGN_IN_SIGNATURE + 2),
    }),
    output: z.union([signedIn, z.object({ twoFactorRedirect: z.literal(true) })]),
    refusals: [
      'rate_limited',
      'message_malformed',
      'message_not_canonical',
      'wrong_domain',
      'wrong_uri',
      'wrong_version',
      'wrong_address',
      'wrong_chain',
      'chain_not_allowed',
      'message_stale',
      'message_expired',
      'statement_too_long',
      'bad_wallet_signature',
      'nonce_unknown',
      'nonce_used',
      'nonce_expired',
    ],
    repeatable: false,
  }),
  verifyTotp: operation({
    method: 'POST',
    path: '/api/auth/two-factor/verify-totp',
    auth: 'optional',
    budget: 'signIn',
    summary: 'The second step of a sign-in; with a session, proves again that its member is there.',
    body: proof,
    output: signedIn,
    refusals: ['rate_limited', 'second_factor_not_pending', 'second_factor_failed', 'second_factor_locked', 'clock_set_back'],
    repeatable: false,
  }),
  enrollTwoFactor: operation({
    method: 'POST',
    path: '/api/auth/two-factor/enroll',
    auth: 'member',
    budget: 'signIn',
    summary: 'A new secret for an authenticator, and ten recovery codes. They count only after `confirm`, and are not shown again.',
    body: z.strictObject({ approval: approval.optional() }).default({}),
    output: z.object({ otpauthUri: z.string(), recoveryCodes: z.array(z.string()) }),
    refusals: ['rate_limited', 'step_up_required', 'two_factor_enabled', ...proofRefused],
    repeatable: false,
  }),
  confirmTwoFactor: operation({
    method: 'POST',
    path: '/api/auth/two-factor/confirm',
    auth: 'member',
    budget: 'signIn',
    summary: 'Turns the second factor on with a code of the new authenticator, and signs out every other device.',
    body: z.strictObject({ code: totpCode }),
    output: signedIn,
    refusals: [
      'rate_limited',
      'two_factor_enabled',
      'two_factor_not_enrolled',
      'second_factor_failed',
      'second_factor_locked',
      'clock_set_back',
    ],
    repeatable: false,
  }),
  disableTwoFactor: operation({
    method: 'POST',
    path: '/api/auth/two-factor/disable',
    auth: 'member',
    budget: 'signIn',
    summary: 'Turns the second factor off with one of its codes.',
    body: proof,
    output: z.object({ user }),
    refusals: ['rate_limited', 'two_factor_not_enrolled', 'second_factor_failed', 'second_factor_locked', 'clock_set_back'],
    repeatable: false,
  }),
} as const
