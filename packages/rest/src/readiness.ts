import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a program needs to serve, by name, and whether it is there. */
export type Needs = Readonly<Record<string, boolean>>

/** Milliseconds for which an answer holds: several proxies ask at once, and so may anybody. */
const HOLDS_MS = 250

/**
 * Answers `GET /readyz`: 200 while everything that the program needs is there, and 503 where something is not or once the program is going.
 * `?exclude=exchange` leaves a need out, as a proxy wants it whose other programs would lack the same.
 */
export function readiness(
  ask: () => Promise<Needs>,
  going: AbortSignal,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  let asked: Promise<Needs> | null = null
  let until = 0
  const needs = async () => {
    if (asked === null || performance.now() > until) {
      asked = ask()
      until = Number.POSITIVE_INFINITY
      void asked.finally(() => (until = performance.now() + HOLDS_MS))
    }
    return asked
  }
  return async ({ url }, outgoing) => {
    const excluded = new URL(url!, 'http://localhost').searchParams.getAll('exclude')
    const found = Object.fromEntries(Object.entries(await needs()).filter(([name]) => !excluded.includes(name)))
    const status = going.aborted ? 'draining' : Object.values(found).every(Boolean) ? 'ok' : 'unavailable'
    outgoing.writeHead(status === 'ok' ? 200 : 503, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
    outgoing.end(JSON.stringify({ status, ...found }))
  }
}
