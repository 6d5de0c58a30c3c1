import type { Operation } from '../operation.ts'
import type { RefusalCode } from '../refusals.ts'
import type { Json } from './json-schema.ts'

const header = (name: string, description: string): Json => ({ type: 'apiKey', in: 'header', name, description })

/** The authentication headers, as security schemes of OpenAPI. */
export const securitySchemes: Record<string, Json> = {
  SVC_ADDRESS: header('SVC_ADDRESS', 'Address of the account.'),
  SVC_API_KEY: header('SVC_API_KEY', 'Id of the API key.'),
  SVC_PASSPHRASE: header('SVC_PASSPHRASE', 'Passphrase of the API key.'),
  SVC_TIMESTAMP: header('SVC_TIMESTAMP', 'Unix seconds, at most 30 away from the clock of the service.'),
  SVC_SIGNATURE: header(
    'SVC_SIGNATURE',
    'URL-safe Base64 of the HMAC-SHA256 of timestamp, method, path and body, under the secret of the key. For a wallet: its EIP-712 signature.',
  ),
  SVC_NONCE: header('SVC_NONCE', 'Which key of the wallet: 0 unless it has several.'),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'augury_session',
    description: 'Session of the browser; `__Host-augury_session` over https.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The session of a script: the token that signing in answers.' },
  scheduler: { type: 'http', scheme: 'bearer', description: 'The secret of the deployment for its jobs, `SCHEDULER_SECRET`.' },
}

const KEY_HEADERS = ['SVC_ADDRESS', 'SVC_API_KEY', 'SVC_PASSPHRASE', 'SVC_TIMESTAMP', 'SVC_SIGNATURE']
const WALLET_HEADERS = ['SVC_ADDRESS', 'SVC_SIGNATURE', 'SVC_TIMESTAMP', 'SVC_NONCE']

/** The accepted ways to authenticate for an operation; an empty one means that it is optional. */
export function securityOf({ auth }: Operation): Record<string, string[]>[] {
  switch (auth) {
    case 'public':
      return []
    case 'wallet':
      return [Object.fromEntries(WALLET_HEADERS.map((name) => [name, []]))]
    case 'read':
    case 'trade':
    case 'operator':
    case 'venue':
      return [Object.fromEntries(KEY_HEADERS.map((name) => [name, name === 'SVC_API_KEY' ? [auth] : []]))]
    case 'scheduler':
      return [{ scheduler: [] }]
    default:
      return [{ session: [] }, { bearer: [] }, ...(auth === 'optional' ? [{}] : [])]
  }
}

/** Refusals of authentication and of rate limits. */
export function identityRefusals({ auth, method, budget }: Operation): readonly RefusalCode[] {
  switch (auth) {
    case 'wallet':
      return ['bad_headers', 'stale_timestamp', 'bad_signature', 'standby', 'service_unavailable']
    case 'read':
    case 'trade':
    case 'operator':
    case 'venue':
      return [
        'bad_headers',
        'unknown_key',
        'stale_timestamp',
        'bad_signature',
        'bad_passphrase',
        'insufficient_scope',
        'standby',
        'service_unavailable',
        ...(method === 'GET' ? [] : (['outcome_unknown'] as const)),
      ]
    case 'public':
      return budget ? ['rate_limited'] : []
    case 'scheduler':
      return ['unauthenticated']
    default:
      return [
        ...(method === 'GET' ? [] : (['foreign_origin'] as const)),
        ...(auth === 'optional' ? [] : (['unauthenticated'] as const)),
        ...(auth === 'admin' ? (['admin_required'] as const) : []),
        ...(budget ? (['rate_limited'] as const) : []),
      ]
  }
}
