import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

// The usual broadcast: every message of a list sent to every socket by `ws.send`. The list comes by POST, and is sent one
// message a turn, as it would come about.
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    for (const message of JSON.parse(Buffer.concat(chunks).toString()) as string[]) {
      for (const client of sockets.clients) client.send(message)
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end('{}')
  })
})
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`)
})
