import { platformOperations } from '@augury/wire/platform/operations'
import { type Fetch, fetchAnswer } from './answer.ts'
import { type Client, methodsOf } from './rest.ts'

/** Where a deployment is, and whose token is sent. */
export interface PlatformOptions {
  /** Address of the site. */
  url: string
  /** Token of a session, from `signIn`. Without it only public routes answer; a browser on the site itself has a cookie instead. */
  token?: string | undefined
  /** What enabling trading answered to this script: without it the site places no orders for it. */
  context?: string | undefined
  fetch?: Fetch
  /** Milliseconds to wait for an answer. */
  timeoutMs?: number
}

/** A deployment's client: a method per route of its table. */
export type PlatformClient = Client<typeof platformOperations>

/** Makes a client of a deployment from its table of operations. */
export function platformClient({ url, token, context, fetch: send, timeoutMs }: PlatformOptions): PlatformClient {
  const base = url.replace(/\/+$/, '')
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' }
  if (token !== undefined) headers.authorization = `Bearer ${token}`
  if (context !== undefined) headers['x-trading-context'] = context
  return methodsOf(platformOperations, (_, { method, path, search, body }) =>
    fetchAnswer(base + path + search, body === undefined ? { method, headers } : { method, headers, body }, { send, timeoutMs }),
  )
}
