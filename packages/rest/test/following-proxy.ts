import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Milliseconds between two questions whether a program is ready. */
const ASK_MS = 100

/** A proxy, and what it does. */
export interface FollowingProxy {
  url: string
  /** Whether it sends requests to the program at a port. */
  sendsTo(port: number): boolean
  close(): void
}

/** A proxy over programs of this machine, in turn over those that say that they are ready. It keeps connections, and tries nothing twice. */
export async function followingProxy(ports: readonly number[], readyPath = '/readyz'): Promise<FollowingProxy> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  let turn = 0
  const ask = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}${readyPath}`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
    await answer?.text()
    if (answer?.ok) ready.add(port)
    else ready.delete(port)
  }
  const asking = setInterval(() => ports.forEach((port) => void ask(port)), ASK_MS)
  const server = createServer((incoming, outgoing) => {
    const to = [...ready][turn++ % ready.size]
    if (to === undefined) return void outgoing.writeHead(502).end('no writer is ready')
    const { method, url: path, headers } = incoming
    const passed = request({ agent, host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, { 'content-type': answer.headers['content-type'] ?? 'text/plain' })
      answer.pipe(outgoing)
    })
    passed.on('error', (error) => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(error.message)))
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sendsTo: (port) => ready.has(port),
    close() {
      clearInterval(asking)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
