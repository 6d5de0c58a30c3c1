import { once } from 'node:events'
import WebSocket from 'ws'
import type { LoadResult } from './http-load.ts'
import type { Trader } from './trader.ts'

/** A trading socket of a trader, and what it has under way. */
interface Line {
  socket: WebSocket
  trader: Trader
}

/** What a frame asks for: its body, and who sends it. */
export interface Asked {
  trader: Trader
  op: string
  body: unknown
}

/** Opens a socket of `/ws/trade` for each trader, and logs in. */
export async function openLines(port: number, traders: readonly Trader[]): Promise<Line[]> {
  return Promise.all(
    traders.map(async (trader) => {
      const { headers } = trader.sign('GET', '/ws/trade')
      const options = { headers, perMessageDeflate: false, skipUTF8Validation: true }
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/trade`, options)
      const [greeting] = await once(socket, 'message')
      if (!String(greeting).includes('"status":200')) throw new Error(`no login: ${greeting}`)
      return { socket, trader }
    }),
  )
}

const OK = Buffer.from('"status":200')

/**
 * Sends frames over trading sockets, `under` of each socket under way, as fast as they are answered; or at `perSecond` altogether, where the
 * time of an answer counts from when its frame was due. Frames are written beforehand, as the requests of `load` are.
 */
export async function frameLoad(
  lines: readonly Line[],
  asked: readonly Asked[],
  under: number,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<LoadResult> {
  const latencies = new Float64Array(asked.length)
  const refused: string[] = []
  const texts = asked.map(({ op, body }, n) => Buffer.from(JSON.stringify({ id: n, op, body })))
  const queues = new Map(lines.map(({ trader }) => [trader, [] as number[]]))
  for (const [n, { trader }] of asked.entries()) queues.get(trader)!.push(n)
  const begun = performance.now()
  const dueAt = (n: number) => (Number.isFinite(perSecond) ? begun + (n * 1000) / perSecond : performance.now())
  const due = new Float64Array(asked.length)

  const run = ({ socket, trader }: Line) =>
    new Promise<void>((resolve) => {
      const queue = queues.get(trader)!
      let [next, left] = [0, queue.length]
      if (left === 0) return resolve()
      const send = () => {
        if (next >= queue.length) return
        const n = queue[next++]!
        due[n] = dueAt(n)
        const wait = due[n]! - performance.now()
        const write = () => socket.send(texts[n]!, { binary: false })
        if (wait > 1) setTimeout(write, wait)
        else write()
      }
      socket.on('message', (data: Buffer) => {
        const n = Number.parseInt(data.toString('latin1', 6, 16), 10)
        latencies[n] = performance.now() - due[n]!
        if (data.indexOf(OK) === -1) refused.push(data.toString())
        if (--left === 0) {
          socket.removeAllListeners('message')
          resolve()
        } else send()
      })
      for (let n = 0; n < under; n++) send()
    })

  await Promise.all(lines.map(run))
  return { seconds: (performance.now() - begun) / 1000, latencies, refused }
}
