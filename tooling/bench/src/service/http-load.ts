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
/** What a read is written into, of every connection: a read is over before the next begins, and memory of its own for each costs more than the rest. */
const READ = Buffer.allocUnsafe(1 << 18)
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
    /** A head that is not whole yet. */
    let part: Buffer | null = null
    /** The head of the answer that is read; all of it where it is not 200. */
    let text = ''
    /** Bytes of its body that have not come. */
    let missing = 0

    const open = () => {
      closing = false
      const onread = { buffer: READ, callback: (size: number) => hear(READ.subarray(0, size)) }
      socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }).on('error', reject)
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
    const hear = (chunk: Buffer): boolean => {
      let body = chunk
      if (missing === 0) {
        const bytes = part ? Buffer.concat([part, chunk]) : chunk
        const end = bytes.indexOf(END_OF_HEAD)
        part = end === -1 ? Buffer.from(bytes) : null
        if (end === -1) return true
        text = bytes.toString('latin1', 0, end)
        const length = /content-length: (\d+)/i.exec(text)?.[1]
        if (length === undefined) reject(new Error(`an answer of unknown length:\n${text}`))
        closing = /connection: close/i.test(text)
        missing = Number(length)
        body = bytes.subarray(end + END_OF_HEAD.length)
      }
      missing -= body.length
      if (!text.startsWith(OK)) text += body.toString('latin1')
      if (missing === 0) answered()
      return true
    }
    const answered = () => {
      latencies[current] = performance.now() - due
      if (!text.startsWith(OK)) refused.push(text)
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
