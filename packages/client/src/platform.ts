import { platformOperations } from '@augury/wire/platform/operations'
import { type Fetch, fetchAnswer } from './answer.ts'
import { type Client, methodsOf } from './rest.ts'

/** Options of `platformClient`. */
export interface PlatformOptions {
  /** Base URL of the site. */
  url: string
  /** Session token from `signIn`, needed for all but public routes. A browser on the site itself has a cookie instead. */
  token?: string | undefined
  /** Result of `enableTrading`; without it the site places no orders for a script. */
  context?: string | undefined
  fetch?: Fetch
  /** Milliseconds to wait for a response. */
  timeoutMs?: number
}

/** Client of a deployment: a method per route. */
export type PlatformClient = Client<typeof platformOperations>

/** Makes a client of a deployment. */
export function platformClient({ url, token, context, fetch: send, timeoutMs }: PlatformOptions): PlatformClient {
  const base = url.replace(/\/+$/, '')
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (context !== undefined) headers['x-trading-context'] = context
  return methodsOf(platformOperations, async (_, { method, path, search, body }, how) => {
    how?.signal?.throwIfAborted()
    const init = body === undefined ? { method, headers } : { method, headers, body }
    return fetchAnswer(base + path + search, init, { send, timeoutMs: how?.timeoutMs ?? timeoutMs, signal: how?.signal })
  })
}
