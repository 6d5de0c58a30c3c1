import { z } from 'zod'
import { SIGN_IN_SIGNATURE, siweMessage } from './sign-in-message.ts'

const base64url = (most: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'expected base64url')
    .max(most)

/** Longest id of a credential in base64url: 1 023 bytes. */
const credentialId = base64url(1364)
const transport = z.string().regex(/^[a-z-]{1,20}$/)

/** What `navigator.credentials.create()` gives, as JSON. Other fields are ignored. */
export const attestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: z.array(transport).max(8).optional(),
  }),
})

/** What `navigator.credentials.get()` gives, as JSON. Other fields are ignored. */
export const assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: base64url(128).nullish(),
  }),
})

/** Proof of one action: an assertion of a passkey, or a sign-in message (ERC-4361) of a wallet whose statement names the action. */
export const approval = z.union([
  z.strictObject({ passkey: assertion }),
  z.strictObject({ message: siweMessage, signature: z.string().max(2 * SIGN_IN_SIGNATURE + 2) }),
])

/** Refusals of a proof. */
export const proofRefused = ['approval_required', 'approval_invalid', 'passkey_refused', 'passkey_suspended', 'wallet_refused'] as const

export type Approval = z.output<typeof approval>
export type Attestation = z.output<typeof attestation>
export type Assertion = z.output<typeof assertion>
