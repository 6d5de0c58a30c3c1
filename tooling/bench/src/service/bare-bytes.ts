import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

// The limit of what node:http can do: the bytes of a file, for everybody.
const [file = '', port = ''] = process.argv.slice(2)
const bytes = readFileSync(file)
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length }
const server = createServer((_, response) => void response.writeHead(200, headers).end(bytes))
server.listen(Number(port), '127.0.0.1', () => console.log('listening'))
