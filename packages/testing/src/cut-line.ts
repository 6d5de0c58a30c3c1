import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A TCP proxy in front of a server that simulates network faults. */
export interface CutLine {
  /** The port it listens on, at 127.0.0.1. */
  port: number
  /** Resets every connection. */
  cut(): void
  /** Whether to reset new connections at once. */
  refuse(is: boolean): void
  /** Whether to hold back all data while connections stay open. */
  silence(is: boolean): void
  /** Delays all data from now on, in order, by this many milliseconds. */
  delay(ms: number): void
  /** Half-closes every connection towards the server; data from the server still passes. */
  halfClose(): void
  close(): Promise<void>
}

/** What to do with a chunk from a client: pass it on, or end the connection before it reaches the server or before the answer returns. */
export type Verdict = 'pass' | 'cut before' | 'cut after'

/** Host of the server (127.0.0.1 by default), and a function that judges each chunk from a client. */
export interface LineOptions {
  host?: string
  judge?: (chunk: Buffer) => Verdict
}

/** Opens a proxy to the port `target`. */
export async function openLine(target: number, { host = '127.0.0.1', judge = () => 'pass' }: LineOptions = {}): Promise<CutLine> {
  const open = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let [lateMs, isSilent, isRefusing] = [0, false, false]
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isRefusing) return void client.resetAndDestroy()
    const upstream = connect({ port: target, host, allowHalfOpen: true })
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
    let isDoomed = false
    const passes = (chunk: Buffer, isFromClient: boolean) => {
      const verdict = isFromClient ? judge(chunk) : isDoomed ? 'cut before' : 'pass'
      isDoomed ||= verdict === 'cut after'
      if (verdict !== 'cut before') return true
      for (const socket of [client, upstream]) socket.destroy()
      return false
    }
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      // Keeps the order when the delay shrinks.
      let carried: Promise<unknown> = Promise.resolve()
      const later = (carry: () => void) => {
        const due = performance.now() + lateMs
        carried = carried.then(() => (due > performance.now() ? wait(due - performance.now()) : undefined)).then(carry)
      }
      one.on('data', (chunk) => {
        if (passes(chunk, one === client)) later(() => void other.write(chunk))
      })
      one.on('end', () => later(() => void other.end()))
      if (isSilent) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of open) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    refuse(is) {
      isRefusing = is
    },
    silence(is) {
      isSilent = is
      for (const socket of open)
        if (is) socket.pause()
        else socket.resume()
    },
    delay(ms) {
      lateMs = ms
    },
    halfClose() {
      for (const upstream of upstreams) upstream.end()
    },
    close() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
