import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Fault, settle, Tally } from './faults.ts'
import type { Scene } from './scene.ts'

const BYTE_MS = 1000
/** How long an unfinished request is tolerated: 15 s, checked every two. */
const PATIENCE_MS = 20_000
const PAGE_BYTES = 4096
/** Most resources that five hundred of each kind may take. */
const GROWTH_MIB = 200

/** What each kind sends: at once, and then a byte per second. */
const kinds: readonly { name: string; atOnce: string; slowly: string; mustEnd: boolean }[] = [
  { name: 'heads', atOnce: 'GET /time HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', slowly: 'x'.repeat(600), mustEnd: true },
  {
    name: 'bodies',
    atOnce: 'POST /books HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 600\r\n\r\n',
    slowly: ' '.repeat(600),
    mustEnd: true,
  },
  { name: 'readers', atOnce: 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20), slowly: '', mustEnd: false },
]

/** A client that sends and reads a byte per second. */
class SlowClient {
  readonly mustEnd: boolean
  readonly #socket: Socket
  readonly #slowly: string
  #said = 0
  hasEnded = false

  constructor(port: number, { atOnce, slowly, mustEnd }: (typeof kinds)[number]) {
    this.mustEnd = mustEnd
    this.#slowly = slowly
    this.#socket = connect({ port, host: '127.0.0.1', readableHighWaterMark: 1 } as Parameters<typeof connect>[0] & object)
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.hasEnded = true
    })
    // A client that reads a byte at a time would not notice that the other side has closed.
    if (mustEnd) this.#socket.resume()
    else this.#socket.pause()
    this.#socket.write(atOnce)
  }

  beat(): void {
    if (this.#said < this.#slowly.length) this.#socket.write(this.#slowly[this.#said++]!)
    if (!this.mustEnd) this.#socket.read(1)
  }

  kill(): void {
    this.#socket.destroy()
  }
}

/** Clients that never finish. */
export const slowClients: readonly Fault[] = [
  {
    name: 'clients speak and read a byte a second',
    must: 'who does not finish a request is sent away, who does not read takes no memory, and trading goes on beside them',
    async run(scene, { slow, restMs }) {
      const tally = new Tally()
      const load = await scene.trade(restMs)
      await load.recovered()
      const before = resident(scene)
      const port = Number(new URL(scene.writer.url).port)
      const clients = kinds.flatMap((kind) => Array.from({ length: slow }, () => new SlowClient(port, kind)))
      const begun = performance.now()
      const hanging = () => clients.filter(({ mustEnd, hasEnded }) => mustEnd && !hasEnded).length
      while (hanging() > 0 && performance.now() - begun < PATIENCE_MS) {
        for (const client of clients) client.beat()
        await wait(BYTE_MS)
      }
      const seconds = ((performance.now() - begun) / 1000).toFixed(0)
      const recovery = await load.recovered()
      const grown = (resident(scene) - before) / 2 ** 20
      const left = hanging()
      for (const client of clients) client.kill()
      const wrong = await settle(scene, load)
      if (left > 0) wrong.push(`${left} who never finish were still there after ${seconds} s`)
      if (grown > GROWTH_MIB) wrong.push(`its memory grew by ${grown.toFixed(0)} MiB`)
      tally.add(load, wrong, recovery)
      return tally.seen(`${slow} of each of ${kinds.length} kinds, all that must go gone after ${seconds} s, ${grown.toFixed(0)} MiB more`)
    },
  },
]

const resident = (scene: Scene): number => Number(readFileSync(`/proc/${scene.writer.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
