import { z } from 'zod'
import { credentials, keyRequest, listedKey, relayedLogin } from '../credentials.ts'
import { operation } from '../operation.ts'
import { strictQuery } from '../query.ts'
import { address, apiKey } from '../scalars.ts'

const ok = z.literal('OK')

export const keyOperations = {
  createKey: operation({
    method: 'POST',
    path: '/auth/api-key',
    auth: 'wallet',
    summary: 'Create the API key of a wallet and nonce. Repeating the request returns the same key.',
    body: keyRequest,
    output: credentials,
    refusals: ['key_not_created', 'scope_conflict', 'insufficient_scope', 'rate_limited'],
    repeatable: true,
  }),
  deriveKey: operation({
    method: 'GET',
    path: '/auth/derive-api-key',
    auth: 'wallet',
    summary: 'The API key that a wallet created for a nonce.',
    output: credentials,
    refusals: ['key_not_derivable', 'insufficient_scope'],
    repeatable: true,
  }),
  relayKey: operation({
    method: 'POST',
    path: '/operator/api-keys',
    auth: 'operator',
    summary: 'Relay a wallet’s signature for `POST /auth/api-key` in our own domain. The key belongs to your deployment.',
    body: relayedLogin,
    output: credentials,
    refusals: ['stale_login', 'bad_login', 'key_not_created', 'scope_conflict'],
    repeatable: true,
  }),
  listKeys: operation({
    method: 'GET',
    path: '/auth/api-keys',
    auth: 'read',
    summary: 'All live keys of your wallet, without their secrets.',
    output: z.object({ apiKeys: z.array(apiKey), keys: z.array(listedKey) }),
    refusals: [],
    repeatable: true,
  }),
  deleteKey: operation({
    method: 'DELETE',
    path: '/auth/api-key',
    auth: 'read',
    summary: 'Revoke the key that signs this request, at once and everywhere.',
    output: ok,
    refusals: [],
    repeatable: true,
  }),
  getClosedOnly: operation({
    method: 'GET',
    path: '/auth/ban-status/closed-only',
    auth: 'read',
    summary: 'Whether the account may only close positions.',
    output: z.object({ closed_only: z.boolean() }),
    refusals: [],
    repeatable: true,
  }),
  createReadonlyKey: operation({
    method: 'POST',
    path: '/auth/readonly-api-key',
    auth: 'trade',
    summary: 'Create a key that can only read.',
    output: credentials,
    refusals: ['key_not_created', 'rate_limited'],
    repeatable: false,
  }),
  listReadonlyKeys: operation({
    method: 'GET',
    path: '/auth/readonly-api-keys',
    auth: 'read',
    summary: 'Ids of your keys that can only read.',
    output: z.array(apiKey),
    refusals: [],
    repeatable: true,
  }),
  deleteReadonlyKey: operation({
    method: 'DELETE',
    path: '/auth/readonly-api-key',
    auth: 'trade',
    summary: 'Revoke a key that can only read; false when there is no such key.',
    body: z.strictObject({ key: apiKey }),
    output: z.boolean(),
    refusals: [],
    repeatable: true,
  }),
  validateReadonlyKey: operation({
    method: 'GET',
    path: '/auth/validate-readonly-api-key',
    auth: 'public',
    summary: 'Whether a key that can only read belongs to an address.',
    query: strictQuery({ address, key: z.string().max(64) }),
    output: z.string(),
    refusals: ['unknown_key'],
    repeatable: true,
  }),
}
