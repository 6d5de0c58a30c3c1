import { request } from 'node:http'
import { connect } from 'node:net'

/** A response, however odd. */
export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  /** Milliseconds from the first byte sent to the last received. */
  milliseconds: number
}

/** A request as it goes over the wire: no client normalises the path or the headers. */
export interface Asked {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer | undefined
}

/** Timeout of a request in milliseconds. */
const PATIENCE_MS = 15_000

/** Sends one request. Throws when no answer comes back. */
export function ask(origin: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, timeout: PATIENCE_MS, insecureHTTPParser: true }, async (answer) => {
      try {
        let text = ''
        for await (const chunk of answer.setEncoding('utf8')) text += chunk
        const names = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
        resolve({ status: answer.statusCode ?? 0, headers: Object.fromEntries(names), text, milliseconds: performance.now() - begun })
      } catch (error) {
        reject(error)
      }
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${PATIENCE_MS} ms`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Writes bytes to a new connection and resolves with everything received until the other side closes it or the time is up. */
export function shout(origin: string, bytes: string, patience = 3000): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    const end = (closed: boolean) => {
      socket.destroy()
      resolve({ text, closed })
    }
    const timer = setTimeout(() => end(false), patience)
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      end(true)
    })
  })
}
