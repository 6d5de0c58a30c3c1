import { ask, shout } from './ask.ts'
import type { Person, Places } from './people.ts'
import { routesOf } from './routes.ts'

/** One attack. `run` resolves with a sentence for everything that it got away with. */
export interface Attack {
  name: string
  run(places: Places, member: Person): Promise<string[]>
}

const json = { 'content-type': 'application/json' }
const both = ({ site, exchange }: Places) => [site, exchange]

/** Paths that give away how a program is made, or what lies beside it. */
const insidePaths = [
  ...[
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/.env.local',
    '/.data/secrets.json',
    '/package.json',
    '/pnpm-lock.yaml',
    '/tsconfig.json',
    '/server.mjs',
  ],
  ...[
    '/metrics',
    '/api/metrics',
    '/debug',
    '/debug/pprof',
    '/_debug',
    '/server-status',
    '/actuator',
    '/actuator/env',
    '/phpinfo.php',
    '/wp-login.php',
  ],
  ...[
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..;/etc/passwd',
    '//etc/passwd',
    '/static/../../package.json',
    '/_app/../server.mjs',
  ],
  ...[
    '/build/handler.js',
    '/build/server/index.js',
    '/src/hooks.server.ts',
    '/node_modules/pg/package.json',
    '/.svelte-kit/output',
    '/.DS_Store',
  ],
  ...[
    '/backup.sql',
    '/dump.sql',
    '/db.sqlite',
    '/id_rsa',
    '/.ssh/id_rsa',
    '/.npmrc',
    '/.dockerignore',
    '/Dockerfile',
    '/docker-compose.yml',
    '/admin.php',
  ],
  ...[
    '/graphql',
    '/console',
    '/swagger-ui.html',
    '/trpc',
    '/trpc/__proto__',
    '/trpc/constructor',
    '/api/__proto__',
    '/api/constructor',
    '/api/toString',
  ],
]

const paths: Attack = {
  name: 'nothing of our insides lies at a guessable path',
  async run(places) {
    const found: string[] = []
    for (const origin of both(places))
      for (const path of insidePaths) {
        const { status, text } = await ask(origin, path)
        if (status >= 500 || (status < 300 && !/<!doctype html/i.test(text)) || /\[core\]|root:x:|"dependencies"/.test(text))
          found.push(`${origin}${path} answers ${status}: ${text.slice(0, 80)}`)
      }
    const page = await ask(places.site, '/')
    const scripts = [...page.text.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => new URL(path!, places.site).pathname)
    for (const path of scripts) if ((await ask(places.site, `${path}.map`)).status === 200) found.push(`${path}.map is served`)
    return found
  },
}

const methods: Attack = {
  name: 'methods that nobody needs are refused',
  async run(places) {
    const found: string[] = []
    for (const origin of both(places))
      for (const method of ['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'BREW']) {
        const { text } = await shout(
          origin,
          `${method} / HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nConnection: close\r\nX-Canary: seen\r\n\r\n`,
        )
        if (/^HTTP\/1\.1 [23]/.test(text) || /x-canary/i.test(text)) found.push(`${method} at ${origin}: ${text.slice(0, 60)}`)
      }
    return found
  },
}

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

const otherSites: Attack = {
  name: 'no other site writes or reads with a visitor’s cookies',
  async run(places) {
    const found: string[] = []
    const routes = await routesOf(places.site)
    const writes = routes.filter(({ method }) => method !== 'GET')
    for (const origin of ['https://evil.example', 'null', `${places.site}.evil.example`])
      for (const { method, path } of writes) {
        const target = path.replace(/\{\w+\}/g, '1')
        const headers = { origin, 'content-type': 'text/plain', cookie: 'augury_session=x; augury_context=x' }
        const { status } = await ask(places.site, target, { method, headers: { ...headers, 'content-length': '2' }, body: '{}' })
        if (status !== 403 && status !== 415 && status !== 429) found.push(`${method} ${path} from ${origin} answers ${status}`)
      }
    for (const base of both(places))
      for (const { path, method } of await routesOf(base)) {
        if (method !== 'GET' || path.includes('{')) continue
        const { headers } = await ask(base, path, { headers: { origin: 'https://evil.example' } })
        if (headers['access-control-allow-origin'] === 'https://evil.example' && headers['access-control-allow-credentials'] === 'true')
          found.push(`${base}${path} lets evil.example read with credentials`)
      }
    return found
  },
}

const headersOfAll: Attack = {
  name: 'every answer makes browsers careful, failures included',
  async run(places) {
    const found: string[] = []
    for (const path of [
      '/',
      '/nowhere',
      '/api/events',
      '/api/nowhere',
      '/trpc/nowhere',
      '/robots.txt',
      '/api/notifications',
      '/event/%00',
    ]) {
      const { headers, status } = await ask(places.site, path)
      for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy'])
        if (!headers[name]) found.push(`${path} (${status}) has no ${name}`)
      if (headers['x-powered-by'] || headers.server) found.push(`${path} says what it is made of`)
    }
    return found
  },
}

const redirects: Attack = {
  name: 'no address of ours leads away',
  async run({ site }) {
    const found: string[] = []
    for (const there of [
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      'https://evil.example',
      '/%09/evil.example',
      '\\\\evil.example',
    ])
      for (const path of ['/login', '/appearance', '/', '/locale', '/auth'])
        for (const name of ['redirect', 'redirectTo', 'next', 'returnTo', 'to', 'url']) {
          const { status, headers } = await ask(site, `${path}?${name}=${encodeURIComponent(there)}`)
          const location = headers.location
          if (status >= 300 && status < 400 && location && new URL(location, site).origin !== new URL(site).origin)
            found.push(`${path}?${name}=${there} leads to ${location}`)
        }
    for (const path of ['//evil.example', '/\\evil.example', '//evil.example/%2e%2e', '/api//evil.example/', '//evil.example/api/']) {
      const location = (await ask(site, path)).headers.location
      if (location && new URL(location, site).origin !== new URL(site).origin) found.push(`${path} leads to ${location}`)
    }
    return found
  },
}

const caches: Attack = {
  name: 'what is a member’s is never kept by a cache',
  async run(places, member) {
    const found: string[] = []
    for (const path of ['/api/notifications', '/api/events', '/api/open-orders', '/api/bookmarks']) {
      const headers = await member.headers({ origin: places.site, method: 'GET', target: path, body: undefined })
      const own = await ask(places.site, path, { headers })
      if (!/private|no-store/.test(own.headers['cache-control'] ?? '')) found.push(`${path}, signed in: ${own.headers['cache-control']}`)
      for (const disguise of ['/x.css', ';x.css', '%00.css', '%2fx.css', '/..%2fx.js']) {
        const { status, headers: answered } = await ask(places.site, path + disguise, { headers })
        if (status === 200 && !/no-store/.test(answered['cache-control'] ?? '')) found.push(`${path}${disguise} answers 200`)
      }
    }
    return found
  },
}

const otherNames: Attack = {
  name: 'another host name gets nothing, and never into a link',
  async run({ site }) {
    const found: string[] = []
    for (const headers of [{ host: 'evil.example' }, { 'x-forwarded-host': 'evil.example' }, { forwarded: 'host=evil.example' }] as Record<
      string,
      string
    >[]) {
      const { text, headers: answered } = await ask(site, '/', { headers })
      if (`${text}${JSON.stringify(answered)}`.includes('evil.example')) found.push(`${JSON.stringify(headers)} is repeated`)
    }
    return found
  },
}

const schedulers: Attack = {
  name: 'only the scheduler starts jobs',
  async run({ site }) {
    const found: string[] = []
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer undefined', 'Bearer null', 'Basic Og==', `Bearer ${'x'.repeat(64)}`])
      for (const job of ['events', 'volume', 'resolution', 'prices']) {
        const { status } = await ask(site, `/api/sync/${job}`, { headers: { authorization } })
        if (status !== 401 && status !== 404 && status !== 405) found.push(`/api/sync/${job} with “${authorization}” answers ${status}`)
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
  name: 'clients that never finish are cut off, and nobody waits for them',
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

/** Attacks on the doors of a running system, quick ones first. */
export const attacks: Attack[] = [
  paths,
  methods,
  headersOfAll,
  otherNames,
  redirects,
  caches,
  otherSites,
  schedulers,
  bodies,
  smuggling,
  budgets,
  slow,
]
