import { createServer, type IncomingMessage } from 'node:http'

/** A request on its way to a service. */
export interface Asked {
  method: string
  path: string
  body: string
}
export interface Answered {
  status: number
  body: string
}

/** A server between a program and a service. */
export interface Between {
  url: string
  close(): void
}

/** Opens a server in front of a service. `pass` forwards a request, or answers it in its own way; with null, no answer ever comes. */
export async function openBetween(
  target: string,
  pass: (asked: Asked, forward: () => Promise<Answered>) => Promise<Answered | null>,
): Promise<Between> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = { method: request.method ?? 'GET', path: request.url ?? '/', body: Buffer.concat(chunks).toString() }
    const answer = await pass(asked, () => forward(target, asked, request)).catch(() => ({ status: 502, body: '' }))
    if (answer) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'])

async function forward(target: string, { method, path, body }: Asked, { headers }: IncomingMessage): Promise<Answered> {
  const passed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)) as [string, string][]
  const answer = await fetch(target + path, { method, headers: passed, ...(body !== '' && { body }) })
  return { status: answer.status, body: await answer.text() }
}
