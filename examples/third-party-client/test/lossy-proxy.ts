import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that passes everything on, but loses the answer to the first request that `loses` picks. */
export async function lossyProxy(target: string, loses: (method: string, path: string) => boolean) {
  let lost = 0
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const passed = request(target + url, { method, headers }, (answer) => {
      if (lost === 0 && loses(method, url)) {
        lost++
        answer.resume().on('end', () => incoming.socket.destroy()) // it happened, and the answer is lost
        return
      }
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => incoming.socket.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost: () => lost, close }
}
