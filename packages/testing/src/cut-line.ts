import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A line between clients and a server that can be cut at any moment, in the middle of a frame too, or be as bad as lines get. */
export interface CutLine {
  port: number
  /** Ends every connection, as a pulled cable would. */
  cut(): void
  /** Carries nothing any more, and ends nothing: nobody on either end can tell. Or goes on. */
  silence(is: boolean): void
  /** Whatever is carried from now on comes so many milliseconds later. */
  delay(ms: number): void
  /** Ends every connection towards the server, and lets what the server still says through. */
  halfClose(): void
  close(): void
}

/** Opens a line to a port of this machine. */
export async function openLine(target: number): Promise<CutLine> {
  const open = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let [lateMs, isSilent] = [0, false]
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
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
      // In order, also when what comes next is carried faster.
      let carried: Promise<unknown> = Promise.resolve()
      const later = (carry: () => void) => {
        const due = performance.now() + lateMs
        carried = carried.then(() => (due > performance.now() ? wait(due - performance.now()) : undefined)).then(carry)
      }
      one.on('data', (chunk) => later(() => void other.write(chunk)))
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
    port: (server.address() as { port: number }).port,
    cut,
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
      server.close()
      cut()
    },
  }
}
