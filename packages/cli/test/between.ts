import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of an exchange that may change or drop responses; `text` is the exchange's response. */
export async function between(
  exchangeUrl: string,
  answerOf: (request: IncomingMessage, text: () => Promise<string>) => Promise<string> | undefined,
) {
  const server = createServer(async (request, answer) => {
    const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('svc_')) as [string, string][]
    const said = await answerOf(request, async () => (await fetch(exchangeUrl + request.url, { headers })).text())
    if (said !== undefined) answer.setHeader('content-type', 'application/json').end(said)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
