/** Refusals of passkeys, of linked wallets, and of proofs of one action: a part of the list of refusals. */
export const passkeyRefusals = {
  passkey_refused: { status: 401, text: 'This passkey was not accepted. Start again.' },
  passkey_suspended: {
    status: 401,
    text: 'This passkey was suspended: a copy of it may be in use. Sign in another way, or with a recovery code.',
  },
  passkey_known: { status: 409, text: 'This passkey belongs to an account already.' },
  passkey_not_found: { status: 404, text: 'Passkey not found.' },
  passkey_missing: { status: 409, text: 'Add a passkey first. Recovery codes replace a lost passkey.' },
  too_many_passkeys: { status: 409, text: 'An account can have 20 passkeys. Remove one first.' },
  recovery_code_invalid: { status: 401, text: 'This recovery code is wrong, was used, or has expired.' },
  approval_required: { status: 403, text: 'Confirm this with a passkey or a wallet of this account.' },
  approval_invalid: { status: 401, text: 'This confirmation has expired, was used, or was for something else. Confirm again.' },
  wallet_refused: { status: 401, text: 'The message of the wallet was not accepted. Sign again.' },
  wallet_known: { status: 409, text: 'This wallet belongs to an account already.' },
  wallet_not_linked: { status: 404, text: 'This wallet is not linked to the account.' },
  last_way_in: { status: 409, text: 'This is the last way into this account. Add another one first.' },
  key_not_kept: { status: 409, text: 'The key of this account is in its wallet. Enable trading with the wallet.' },
} as const
