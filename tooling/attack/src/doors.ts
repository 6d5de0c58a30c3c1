import { deploymentOperations } from '@augury/platform/operations'
import { ask, shout } from './ask.ts'
import type { Attack } from './attack.ts'
import type { Places } from './people.ts'
import { routesOf } from './routes.ts'

const both = ({ site, exchange }: Places) => [site, exchange]

/** Paths that would reveal how a program is made, or files beside it. */
const insidePaths = [
  '/.git/config',
  '/.git/HEAD',
  '/.env',
  '/.env.local',
  '/.data/secrets.json',
  '/package.json',
  '/pnpm-lock.yaml',
  '/tsconfig.json',
  '/server.mjs',
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
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..;/etc/passwd',
  '//etc/passwd',
  '/static/../../package.json',
  '/_app/../server.mjs',
  '/build/handler.js',
  '/build/server/index.js',
  '/src/hooks.server.ts',
  '/node_modules/pg/package.json',
  '/.svelte-kit/output',
  '/.DS_Store',
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
  '/graphql',
  '/console',
  '/swagger-ui.html',
  '/trpc',
  '/trpc/__proto__',
  '/trpc/constructor',
  '/api/__proto__',
  '/api/constructor',
  '/api/toString',
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
  name: 'unused methods are refused',
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

const FORMS = ['/appearance', '/saved', '/es/saved', '/ar/event/x', '/login']
const CALLS = Object.entries(deploymentOperations).flatMap(([name, { method, auth }]) =>
  method === 'GET' || auth === 'public' ? [] : [name],
)

const otherForms: Attack = {
  name: 'no form or call of another site is taken, alone or among others',
  async run({ site }) {
    const found: string[] = []
    const cookie = 'augury_session=x; augury_context=x; __Host-augury_session=x; __Host-augury_context=x'
    const post = (path: string, type: string, body: string, origin?: string) =>
      ask(site, path, {
        method: 'POST',
        headers: { cookie, 'content-type': type, 'content-length': String(body.length), ...(origin && { origin }) },
        body,
      })
    for (const origin of ['https://evil.example', 'null', `${site}.evil.example`]) {
      for (const path of FORMS) {
        const { status, headers } = await post(path, 'application/x-www-form-urlencoded', 'theme=dark', origin)
        if (status !== 403 || headers['set-cookie']) found.push(`a form of ${origin} to ${path} answers ${status}`)
      }
      const calls = [...CALLS.map((name) => [`/trpc/${name}`, '{}']), [`/trpc/${CALLS.slice(0, 5).join(',')}?batch=1`, '{"0":{}}']] as const
      for (const type of ['application/json', 'text/plain'])
        for (const [path, body] of calls) {
          const { status, text } = await post(path, type, body, origin)
          if (!text.includes('foreign_origin') && ![415, 429].includes(status))
            found.push(`${path} as ${type} from ${origin} answers ${status}`)
        }
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

const firstReaders: Attack = {
  name: 'what caches keep for everybody does not depend on who asked first',
  async run({ site }) {
    const found: string[] = []
    const { slug } = JSON.parse((await ask(site, '/api/events?limit=1')).text)[0]
    const kept = [`/event/${slug}.md`, `/og/${slug}.png`, `/embed/${slug}`, '/og.png', '/llms.txt', '/sitemap.xml', '/openapi.json']
    // Prices move between requests: only the shape of a number is compared.
    const shape = (text: string) => text.replace(/\d+/g, '0')
    const readers: Record<string, string>[] = [{ 'accept-language': 'ar' }, { cookie: 'locale=ar; theme=dark' }]
    for (const path of [...kept, '/manifest.webmanifest', '/changelog/rss.xml']) {
      const plain = await ask(site, path)
      if (!/public/.test(plain.headers['cache-control'] ?? '')) continue
      for (const headers of readers) {
        const { text, headers: answered } = await ask(site, path, { headers })
        if (shape(text) !== shape(plain.text)) found.push(`${path} differs by ${Object.keys(headers)}`)
        if (answered['set-cookie']) found.push(`${path} sets a cookie for everybody`)
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
    const own = new URL(site).host
    for (const host of [`${own}/api/events?`, `${own}?q=`, `${own}\\evil`, `${own}#`, `evil@${own}`]) {
      const { status } = await ask(site, '/', { headers: { host } })
      if (status !== 400) found.push(`the host ${host} is answered by another page: ${status}`)
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

/** Attacks on access control: what may be requested, by whom, and what an answer reveals. */
export const doors: Attack[] = [
  paths,
  methods,
  headersOfAll,
  otherNames,
  redirects,
  caches,
  firstReaders,
  otherSites,
  otherForms,
  schedulers,
]
