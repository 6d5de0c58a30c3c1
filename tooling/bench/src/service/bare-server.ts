import { createServer } from 'node:http'

// The limit of what node:http can do: the same bytes for everybody. With a second argument it makes these bytes of the same books anew for
// each request, as a service without ready text would.
const [kind, sample] = process.argv.slice(2)
const prebuilt = Buffer.alloc(2048, '{"answer":"x"}')
const books: unknown = sample === undefined ? null : JSON.parse(sample)
const headers = (length: number) => ({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length })

const server = createServer((request, response) => {
  if (kind === 'bare') {
    response.writeHead(200, headers(prebuilt.length)).end(prebuilt)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const wanted = JSON.parse(Buffer.concat(chunks).toString()) as unknown[]
    const text = Buffer.from(JSON.stringify((books as unknown[]).slice(0, wanted.length)))
    response.writeHead(200, headers(text.length)).end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`listening on ${typeof address === 'object' ? address?.port : address}`)
})
