import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'

type Answered = (response: IncomingMessage) => void

/**
 * Leads requests for hosts that a program has built in to the addresses given here: of `fetch`, and of Node's own client, which axios and ws use.
 * Returns what puts both back.
 */
export function leadHosts(hosts: Readonly<Record<string, string>>): () => void {
  const { fetch } = globalThis
  const { request } = https
  const led = (host: string, path: string): URL | null => {
    const to = hosts[host]
    return to === undefined ? null : new URL(to + (path === '/' ? '' : path))
  }
  globalThis.fetch = (asked, init) => {
    const { hostname, pathname, search } = new URL(asked instanceof Request ? asked.url : asked)
    return fetch(led(hostname, pathname + search) ?? asked, init)
  }
  https.request = ((options: RequestOptions, answered?: Answered): ClientRequest => {
    const to = led(String(options.hostname ?? options.host), options.path ?? '/')
    if (!to) return request(options, answered)
    const { hostname, port, pathname, search } = to
    const { createConnection: _, agent: __, agents: ___, ...rest } = options as RequestOptions & { agents?: unknown }
    const headers = { ...(rest.headers as Record<string, string>), Host: to.host }
    return http.request({ ...rest, headers, protocol: 'http:', host: hostname, hostname, port, path: pathname + search }, answered)
  }) as typeof https.request
  return () => {
    globalThis.fetch = fetch
    https.request = request
  }
}
