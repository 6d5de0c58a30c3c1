import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request on its way, its body read. */
export interface Passing {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** How an exchange differs from ours: it answers by itself, or changes what ours answered. Null leaves either as it is. */
export interface Bend {
  answer?(request: Passing): { status: number; body: unknown } | null
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  change?(request: Passing, body: any): unknown
}

/** A proxy that bends what passes, and counts it. */
export async function bendingProxy(target: string, { answer, change }: Bend = {}) {
  const passed: string[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = 'GET', url: path = '/' } = incoming
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const request: Passing = { method, path, headers, body: Buffer.concat(chunks).toString() }
    passed.push(`${method} ${path.split('?')[0]}`)
    const bent = answer?.(request)
    if (bent) {
      outgoing.writeHead(bent.status, { 'content-type': 'application/json' }).end(JSON.stringify(bent.body))
      return
    }
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...rest } = headers
    const reply = await fetch(target + path, { method, headers: rest, ...(request.body ? { body: request.body } : {}) })
    const body: unknown = await reply.json()
    outgoing.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(change?.(request, body) ?? body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed, close }
}
