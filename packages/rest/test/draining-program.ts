import { hardenedServer } from '../src/hardened-server.ts'
import { readiness } from '../src/readiness.ts'
import { shutDown } from '../src/shut-down.ts'

// A program that serves and stops as the site does; the tests restart it behind a proxy. Each answer takes a while.
const [port, drainMs] = process.argv.slice(2).map(Number)
const going = new AbortController()
const answerReadyz = readiness(async () => ({ database: true }), going.signal)
const server = hardenedServer((incoming, outgoing) => {
  if (incoming.url === '/readyz') return void answerReadyz(incoming, outgoing)
  setTimeout(() => outgoing.end(String(process.pid)), 20)
})
server.listen(port, '127.0.0.1', () => process.stdout.write('listening\n'))
process.once('SIGTERM', () => {
  going.abort()
  void shutDown(server, { drainMs: drainMs!, patienceMs: 5000 })
})
