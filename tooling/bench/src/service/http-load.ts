import { connect, type Socket } from 'node:net'

/** Connections that are kept open. */
export const CONNECTIONS = 64

/** What one run of a load was answered. */
export interface LoadResult {
  seconds: number
  /** Milliseconds of each answer, in no order. */
  latencies: Float64Array
  /** Answers that were not 200, as they came. */
  refused: string[]
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const OK = 'HTTP/1.1 200'

/** A request as its bytes. */
export function rawRequest(method: string, target: string, headers: Record<string, string>, body = ''): Buffer {
  const all = {
    Host: 'bench',
    ...headers,
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Sends requests over kept connections, each connection one at a time, as fast as they are answered; or at `perSecond` altogether, where
 * the time of an answer counts from when its request was due. The client does as little as it can: it has the processor that the server
 * does not.
 */
export async function load(port: number, requests: readonly Buffer[], perSecond = Number.POSITIVE_INFINITY): Promise<LoadResult> {
  const latencies = new Float64Array(requests.length)
  const refused: string[] = []
  let next = 0
  const begun = performance.now()
  const dueAt = (n: number) => (Number.isFinite(perSecond) ? begun + (n * 1000) / perSecond : performance.now())

  const run = (resolve: () => void, reject: (error: Error) => void) => {
    let socket: Socket
    let closing = false
    let current = -1
    let due = 0
    let received: Buffer = Buffer.alloc(0)

    const open = () => {
      closing = false
      socket = connect(port, '127.0.0.1').setNoDelay(true).on('error', reject).on('data', hear)
    }
    const send = () => {
      if (next >= requests.length) {
        socket.end()
        return resolve()
      }
      current = next++
      due = dueAt(current)
      const wait = due - performance.now()
      if (wait > 1) setTimeout(write, wait)
      else write()
    }
    const write = () => {
      if (socket.destroyed) open() // a server lets go of who says nothing for seconds
      socket.write(requests[current]!)
    }
    const hear = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const head = received.indexOf(END_OF_HEAD)
      if (head === -1) return
      const text = received.toString('latin1', 0, head)
      const length = /content-length: (\d+)/i.exec(text)?.[1]
      if (length === undefined) return reject(new Error(`an answer of unknown length:\n${text}`))
      if (received.length < head + 4 + Number(length)) return
      latencies[current] = performance.now() - due
      if (!text.startsWith(OK)) refused.push(received.toString('latin1'))
      closing = /connection: close/i.test(text)
      received = Buffer.alloc(0)
      if (closing) {
        socket.destroy()
        open()
      }
      send()
    }
    open()
    send()
  }

  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, requests.length) }, () => new Promise<void>(run)))
  return { seconds: (performance.now() - begun) / 1000, latencies, refused }
}

/** What one in a hundred exceeds. */
export const p99 = (values: Float64Array): number => values.toSorted()[Math.floor(values.length * 0.99)] ?? Number.NaN
