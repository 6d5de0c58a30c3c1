import { request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { median } from '../interleave.ts'
import type { Row } from '../row.ts'
import { load, p99, rawRequest } from '../service/http-load.ts'
import { platformScene } from '../service/platform-scene.ts'
import { besideBare, rateOf } from '../service/rate.ts'

const page = (query = '', headers: Record<string, string> = {}) => rawRequest('GET', `/api/events${query}`, headers)

/** The first page of events for signed-out visitors, from cache, beside a bare server that sends the same bytes. */
export const cachedEvents: Row = {
  id: '10',
  work: 'GET /api/events, anonymous, from cache, against bare node:http with the same bytes',
  target: '≥ 0.4 ×',
  async measure({ rounds, quick }) {
    const scene = await platformScene(quick)
    const answer = await fetch(`http://127.0.0.1:${scene.server.port}/api/events`, { headers: { 'accept-encoding': 'identity' } })
    const whole = Buffer.from(await answer.arrayBuffer())
    const coded = await codedPage(scene.server.port)
    if (!brotliDecompressSync(coded).equals(whole)) throw new Error('the coded page is another page')
    const bare = await scene.startBare(coded)
    const count = quick ? 1_000 : 4_000
    const ask = new Array<Buffer>(count).fill(page('', { 'Accept-Encoding': 'br' }))
    const compared = await besideBare(scene.server, bare, ask, rounds, 0.4)
    const sizes = `${Math.round(whole.length / 1024)} kB, ${Math.round(coded.length / 1024)} kB as br`
    return { ...compared, note: `${scene.events} events; ${sizes}; ${compared.note}` }
  },
}

/** The bytes as a reader of br gets them. */
function codedPage(port: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/api/events', headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
}

/** Questions before those that count, and how many there are a second. */
const WARM = 25
const PER_SECOND = 20

/** Pages that are not cached: of tags, of orders, further down, by words of the title, and of events with many markets. */
export const uncachedEvents: Row = {
  id: '25',
  work: 'GET /api/events that are not cached, at 100 000 events',
  target: 'p99 < 50 ms',
  async measure({ quick }) {
    const scene = await platformScene(quick)
    const count = quick ? 60 : 400
    const kinds = [
      (n: number) => `?tag=tag-${n}`,
      (n: number) => `?search=number+${n * 37}`,
      (n: number) => `?search=before+of+${10 + (n % 90)}&offset=${n}`,
      (n: number) => `?offset=${n}`,
      (n: number) => `?sort=created_at&offset=${n * 11}`,
      (n: number) => `?mainTag=tag-${1 + (n % 10)}&sort=end_date&offset=${n}`,
      (n: number) => `?sort=volume&offset=${200 + n * 13}`,
    ]
    const asked = Array.from({ length: count }, (_, n) => page(kinds[n % kinds.length]!(1 + n)))
    // Uncached pages of a program that has been asked before: a first question waits for its code to be compiled.
    const first = Array.from({ length: WARM }, (_, n) => page(kinds[n % kinds.length]!(1 + count + n)))
    await load(scene.server.port, first, PER_SECOND)
    const { latencies, refused } = await load(scene.server.port, asked, PER_SECOND)
    if (refused.length > 0) throw new Error(refused[0])
    const { allMicros } = await rateOf(
      scene.server,
      asked.slice(0, 20).map((_, n) => page(`?search=of+${n * 41}`)),
    )
    const worst = p99(latencies)
    return {
      figures: [
        { name: 'p99', value: worst, unit: 'ms' },
        { name: 'p50', value: median([...latencies]), unit: 'ms' },
      ],
      met: worst < 50,
      note: `${scene.events} events, ${PER_SECOND} questions a second; a search takes ${(allMicros / 1000).toFixed(1)} ms of the program's processor time`,
    }
  },
}
