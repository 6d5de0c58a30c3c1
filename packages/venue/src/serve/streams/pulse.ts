import type { WebSocket } from 'ws'

/** Pings in a row that may stay without an answer. They are counted, as a process that stood still has not listened either. */
const UNANSWERED = 3

/**
 * Pings a socket until it closes, and ends it once nothing at all has come from its client since several pings: when the other end has lost
 * its power or its network, the system notices only after a quarter of an hour.
 */
export function keepPulse(ws: WebSocket, everyMs: number): void {
  let unanswered = 0
  const alive = () => {
    unanswered = 0
  }
  const pulse = setInterval(() => {
    if (ws.isPaused) alive() // at the moment it is us who do not listen
    if (unanswered === UNANSWERED) ws.terminate()
    else if (ws.readyState === ws.OPEN) ws.ping()
    unanswered++
  }, everyMs)
  for (const event of ['message', 'ping', 'pong']) ws.on(event, alive)
  ws.on('close', () => clearInterval(pulse))
}
