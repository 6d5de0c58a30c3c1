import { z } from 'zod'
import { operation } from '../operation.ts'
import { address, amount, checksumAddress, typedAddress } from '../scalars.ts'
import { shownText } from '../text.ts'
import { approval, assertion, attestation, proofRefused } from './approval.ts'
import { signedIn } from './sign-in.ts'
import { SIGN_IN_SIGNATURE, siweMessage } from './sign-in-message.ts'
import { USERNAME } from './user.ts'

const iso = z.iso.datetime()
const success = z.object({ success: z.literal(true) })
const descriptor = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()).optional() })
/** `PublicKeyCredentialCreationOptionsJSON` */
const creation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
/** `PublicKeyCredentialRequestOptionsJSON` */
const request = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  allowCredentials: z.array(descriptor),
  userVerification: z.literal('required'),
})

/** The name of a passkey: 60 visible characters. */
const passkeyName = shownText(60)
  .transform((name) => name.trim())
  .refine((name) => name !== '', 'expected a name')
const username = z.string().regex(USERNAME, 'expected 3 to 30 letters, digits or underscores')
/** A recovery code as it was typed. */
const recoveryCode = z.string().min(1).max(64)

/** An action that asks for a proof of its own, with all that it changes. */
const action = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('withdraw'), amount, destination: typedAddress }),
  z.strictObject({ action: z.literal('add_passkey') }),
  z.strictObject({ action: z.literal('remove_passkey'), id: z.uuid() }),
  z.strictObject({ action: z.literal('renew_codes') }),
  z.strictObject({ action: z.literal('link_wallet'), address }),
  z.strictObject({ action: z.literal('unlink_wallet'), address }),
  z.strictObject({ action: z.literal('change_email'), email: z.email().max(254).nullable() }),
  z.strictObject({ action: z.literal('second_factor') }),
])

const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Whether its provider keeps it on more than one device. */
  synced: z.boolean(),
  created_at: iso,
  last_used_at: iso.nullable(),
  /** When it was suspended, because its counter went backwards; null while it is accepted. */
  suspended_at: iso.nullable(),
})

/** The ways in which a member signs in. `keeps_key`: the site keeps the key of the account, which no wallet has. */
const waysIn = z.object({
  passkeys: z.array(passkey),
  wallets: z.array(z.object({ address: checksumAddress, primary: z.boolean(), created_at: iso })),
  recovery_codes: z.int(),
  keeps_key: z.boolean(),
})

const step = { method: 'POST', auth: 'optional', budget: 'signIn', repeatable: false } as const
const change = { auth: 'member', budget: 'credentials', repeatable: false } as const

/** Accounts with passkeys: opening one, signing in, recovery, and the ways in which a member signs in. */
export const passkeyOperations = {
  passkeyOptions: operation({
    ...step,
    path: '/api/auth/passkeys/options',
    summary: 'A challenge for one WebAuthn ceremony, good for five minutes in the browser that asked, with the options for it.',
    body: z.discriminatedUnion('for', [
      z.strictObject({ for: z.literal('sign_up'), username }),
      z.strictObject({ for: z.literal('sign_in') }),
      z.strictObject({ for: z.literal('recovery'), code: recoveryCode }),
      z.strictObject({ for: z.literal('add') }),
    ]),
    output: z.union([z.object({ creation }), z.object({ request })]),
    refusals: ['rate_limited', 'unauthenticated', 'username_taken', 'username_reserved', 'recovery_code_invalid', 'too_many_passkeys'],
  }),
  passkeySignUp: operation({
    ...step,
    path: '/api/auth/passkeys/sign-up',
    summary: 'Opens an account with a new passkey and signs it in. The recovery codes are not shown again.',
    body: z.strictObject({ credential: attestation, name: passkeyName.optional() }),
    output: signedIn.extend({ recoveryCodes: z.array(z.string()) }),
    refusals: ['rate_limited', 'passkey_refused', 'passkey_known', 'username_taken'],
  }),
  passkeySignIn: operation({
    ...step,
    path: '/api/auth/passkeys/sign-in',
    summary: 'Signs in with a passkey, or asks for the second factor.',
    body: z.strictObject({ credential: assertion }),
    output: z.union([signedIn, z.object({ twoFactorRedirect: z.literal(true) })]),
    refusals: ['rate_limited', 'passkey_refused', 'passkey_suspended'],
  }),
  recoverAccount: operation({
    ...step,
    path: '/api/auth/passkeys/recovery',
    summary: 'Uses a recovery code up, adds a new passkey with it, ends every session of the account, and signs in.',
    body: z.strictObject({ code: recoveryCode, credential: attestation, name: passkeyName.optional() }),
    output: z.union([signedIn, z.object({ twoFactorRedirect: z.literal(true) })]),
    refusals: ['rate_limited', 'passkey_refused', 'passkey_known', 'recovery_code_invalid', 'too_many_passkeys'],
  }),
  emailRecoveryCode: operation({
    ...step,
    path: '/api/auth/passkeys/recovery/email',
    summary:
      'Emails a recovery code, good for an hour, where the address is the confirmed one of an account with a passkey. The answer is the same for any address.',
    body: z.strictObject({ email: z.email().max(254), locale: z.string().max(16).optional() }),
    output: success,
    refusals: ['rate_limited', 'unsupported'],
  }),
  askApproval: operation({
    method: 'POST',
    path: '/api/auth/approvals',
    auth: 'member',
    budget: 'signIn',
    summary:
      'A challenge for the proof of one action, good for five minutes in this session. `request` is for a passkey, null without one; `nonce` and `statement` are for the sign-in message of a wallet.',
    body: action,
    output: z.object({ statement: z.string(), nonce: z.string(), request: request.nullable() }),
    refusals: ['rate_limited', 'invalid_amount'],
    repeatable: false,
  }),
  listWaysIn: operation({
    method: 'GET',
    path: '/api/auth/ways-in',
    auth: 'member',
    summary: 'The member’s passkeys and wallets, and how many recovery codes are left.',
    output: waysIn,
    refusals: [],
    repeatable: true,
  }),
  addPasskey: operation({
    ...change,
    method: 'POST',
    path: '/api/auth/passkeys',
    summary:
      'Adds a passkey to the account, with a proof by another way in. Without recovery codes, the account gets some, which are not shown again.',
    body: z.strictObject({ credential: attestation, name: passkeyName.optional(), approval }),
    output: waysIn.extend({ recoveryCodes: z.array(z.string()) }),
    refusals: ['rate_limited', 'passkey_known', 'too_many_passkeys', ...proofRefused],
  }),
  renamePasskey: operation({
    ...change,
    method: 'PATCH',
    path: '/api/auth/passkeys/{id}',
    budget: 'account',
    summary: 'Renames a passkey.',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({ name: passkeyName }),
    output: waysIn,
    refusals: ['rate_limited', 'passkey_not_found'],
    repeatable: true,
  }),
  removePasskey: operation({
    ...change,
    method: 'POST',
    path: '/api/auth/passkeys/{id}/remove',
    summary: 'Removes a passkey and ends the other sessions. The last way in cannot be removed.',
    params: z.object({ id: z.uuid() }),
    body: z.strictObject({ approval }),
    output: waysIn,
    refusals: ['rate_limited', 'passkey_not_found', 'last_way_in', ...proofRefused],
  }),
  renewAccountCodes: operation({
    ...change,
    method: 'POST',
    path: '/api/auth/recovery-codes',
    summary: 'Replaces the recovery codes. They are not shown again.',
    body: z.strictObject({ approval }),
    output: z.object({ recoveryCodes: z.array(z.string()) }),
    refusals: ['rate_limited', 'passkey_missing', ...proofRefused],
  }),
  linkWallet: operation({
    ...change,
    method: 'POST',
    path: '/api/auth/wallets',
    summary: 'Links a wallet to the account, by a proof of the account and a sign-in message of the wallet. The account keeps its address.',
    body: z.strictObject({ message: siweMessage, signature: z.string().max(2 * SIGN_IN_SIGNATURE + 2), approval }),
    output: waysIn,
    refusals: ['rate_limited', 'wallet_known', 'too_many_wallets', ...proofRefused],
  }),
  unlinkWallet: operation({
    ...change,
    method: 'POST',
    path: '/api/auth/wallets/remove',
    summary: 'Removes a linked wallet. The wallet of the account itself, and the last way in, cannot be removed.',
    body: z.strictObject({ address, approval }),
    output: waysIn,
    refusals: ['rate_limited', 'wallet_not_linked', 'last_way_in', ...proofRefused],
  }),
} as const

export type Action = z.output<typeof action>
export type CreationOptions = z.output<typeof creation>
export type RequestOptions = z.output<typeof request>
export type WaysIn = z.output<typeof waysIn>
