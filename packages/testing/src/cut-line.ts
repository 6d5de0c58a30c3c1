import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A line between clients and a server that can be cut at any moment, in the middle of a frame too, or be as bad as lines get. */
export interface CutLine {
  /** Where it begins, on 127.0.0.1. */
  port: number
  /** Ends every connection, as a pulled cable would. */
  cut(): void
  /** Ends everybody's connection as soon as it is made. Or no longer. */
  refuse(is: boolean): void
  /** Carries nothing any more, and ends nothing: nobody on either end can tell. Or goes on. */
  silence(is: boolean): void
  /** Whatever is carried from now on comes so many milliseconds later. */
  delay(ms: number): void
  /** Ends every connection towards the server, and lets what the server still says through. */
  halfClose(): void
  close(): Promise<void>
}

/** What becomes of something that a client says, and of its connection: cut before it is carried, or before it is answered. */
export type Verdict = 'pass' | 'cut before' | 'cut after'

/** Where a line leads, and who judges what clients say. */
export interface LineOptions {
  host?: string
  judge?: (said: Buffer) => Verdict
}

/** Opens a line to a port, of this machine unless told. */
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
    const hear = (chunk: Buffer, isSaid: boolean) => {
      const verdict = isSaid ? judge(chunk) : isDoomed ? 'cut before' : 'pass'
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
      // In order, also when what comes next is carried faster.
      let carried: Promise<unknown> = Promise.resolve()
      const later = (carry: () => void) => {
        const due = performance.now() + lateMs
        carried = carried.then(() => (due > performance.now() ? wait(due - performance.now()) : undefined)).then(carry)
      }
      one.on('data', (chunk) => {
        if (hear(chunk, one === client)) later(() => void other.write(chunk))
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
