import { ask, shout } from './ask.ts'
import type { Attack } from './attack.ts'
import type { Places } from './people.ts'

const json = { 'content-type': 'application/json' }
const both = ({ site, exchange }: Places) => [site, exchange]

const smuggling: Attack = {
  name: 'a request is never read as two',
  async run(places) {
    const found: string[] = []
    for (const origin of both(places)) {
      const start = `POST /books HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\n`
      const inner = `GET /smuggled HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`
      const cases = [
        `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
        `${start}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`,
        `${start}Content-Length: 2\r\nContent-Length: 4\r\n\r\n[]${inner}`,
        `${start}Content-Length: 2, 4\r\n\r\n[]${inner}`,
        `${start}Content-Length: +2\r\n\r\n[]${inner}`,
        `${start}Content-Length: 0x2\r\n\r\n[]${inner}`,
        `${start}Content-Length: -1\r\n\r\n[]${inner}`,
        `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
        `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
        `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
        `${start}Transfer-Encoding: chunked\r\n\r\n2;a=b\nx\r\n[]\r\n0\r\n\r\n${inner}`,
        `${start}Content-Length : 2\r\n\r\n[]${inner}`,
        `${start}X: a\rContent-Length: 2\r\n\r\n[]${inner}`,
      ]
      for (const bytes of cases) {
        const { text, closed } = await shout(origin, bytes, 2000)
        const answers = text.match(/HTTP\/1\.1 \d{3}/g) ?? []
        if (!closed || answers.length > 1 || !/^HTTP\/1\.1 4/.test(text))
          found.push(
            `${origin}: ${JSON.stringify(bytes.slice(start.length, start.length + 60))} → ${answers.join(', ')}${closed ? '' : ', left open'}`,
          )
      }
    }
    return found
  },
}

const bodies: Attack = {
  name: 'bodies that are bombs cost nothing',
  async run(places, member) {
    const found: string[] = []
    const bombs: [string, string][] = [
      ['depth', '['.repeat(50_000)],
      ['depth, closed', '['.repeat(20_000) + ']'.repeat(20_000)],
      ['width', `{${Array.from({ length: 5000 }, (_, n) => `"k${n}":0`).join(',')}}`],
      ['length', JSON.stringify({ a: 'x'.repeat(4_000_000) })],
      ['numbers', `[${'1'.repeat(100_000)}]`],
    ]
    for (const [origin, path] of [
      [places.site, '/api/markets/status'],
      [places.exchange, '/books'],
      [places.exchange, '/order'],
    ] as const)
      for (const [name, body] of bombs) {
        const own = await member.headers({ origin, method: 'POST', target: path, body })
        const headers = { ...json, ...own, 'content-length': String(Buffer.byteLength(body)), 'x-forwarded-for': '198.18.7.7' }
        const reply = await ask(origin, path, { method: 'POST', headers, body }).catch(() => null)
        if (reply && (reply.status < 400 || reply.status >= 500)) found.push(`${name} at ${path} answers ${reply.status}`)
      }
    const zipped = await ask(places.exchange, '/books', {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip', 'content-length': '20' },
      body: Buffer.alloc(20),
    })
    if (zipped.status < 400 || zipped.status >= 500) found.push(`a compressed body answers ${zipped.status}`)
    const many = Array.from({ length: 5000 }, () => 'listEvents').join(',')
    const batch = await ask(places.site, `/trpc/${many}?batch=1&input=%7B%7D`).catch(() => null)
    if (batch && (batch.status < 400 || batch.status >= 500)) found.push(`5000 calls in one answer ${batch.status}`)
    return found
  },
}

const budgets: Attack = {
  name: 'a made-up X-Forwarded-For in front of the real one gives no new budget',
  async run({ exchange }) {
    const statuses: number[] = []
    for (let n = 0; n < 101; n++) {
      const headers = { ...json, 'content-length': '2', 'x-forwarded-for': `203.0.113.${n}, 198.19.255.255` }
      statuses.push((await ask(exchange, '/books', { method: 'POST', headers, body: '[]' })).status)
    }
    return statuses[100] === 429 ? [] : [`the 101st POST /books of a minute answers ${statuses[100]}`]
  },
}

const slow: Attack = {
  name: 'clients that never finish are disconnected, and no other waits for them',
  async run(places) {
    const found: string[] = []
    for (const origin of both(places)) {
      const host = new URL(origin).host
      const begun = performance.now()
      const hanging = Array.from({ length: 200 }, (_, n) =>
        shout(
          origin,
          n % 2
            ? `GET / HTTP/1.1\r\nHost: ${host}\r\nX-A: `
            : `POST /books HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[`,
          40_000,
        ),
      )
      const times: number[] = []
      for (let n = 0; n < 50; n++) times.push((await ask(origin, '/robots.txt')).milliseconds)
      const slowest = Math.max(...times)
      if (slowest > 2000) found.push(`with 200 slow clients ${origin} takes ${Math.round(slowest)} ms to answer others`)
      const ended = await Promise.all(hanging)
      const open = ended.filter(({ closed }) => !closed).length
      if (open > 0)
        found.push(`${open} of 200 slow clients of ${origin} were still there after ${Math.round((performance.now() - begun) / 1000)} s`)
    }
    return found
  },
}

/** Attacks at the level of bytes: requests inside requests, decompression bombs, exhausted budgets, and clients that never finish. */
export const floods: Attack[] = [bodies, smuggling, budgets, slow]
