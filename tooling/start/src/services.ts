import { join } from 'node:path'
import type { StartSettings } from '@augury/settings/env'
import { EXCHANGE_FLAGS } from '@augury/testing/exchange-flags'
import { catalogueOf } from './data-folder.ts'
import type { Service } from './supervisor.ts'

/** The programs of the repository as services of the supervisor. */
export interface Services {
  clobServer: Service
  web: Service
  syncWorker: Service
  marketMaker: Service
  settler: Service
}

/** The worker and the settler make much garbage and are in no hurry: half of their memory was waiting to be collected. */
const SMALL = ['--max-semi-space-size=4']

interface Surroundings {
  watch: boolean
  writerUrl: string
  settlement: Record<string, string>
}

/**
 * The programs as in production, or with `watch` for developers: sources are watched, and the site is served without a build. `writerUrl` is
 * where the site, the worker and the settler reach the exchange; `settlement` are their settings of how money moves.
 */
export function services(root: string, settings: StartSettings, { watch, writerUrl, settlement }: Surroundings): Services {
  const { host, webPort, workerPort, settlerPort, clobUrl, dataDir, mode } = settings
  const local = (port: number, path: string) => `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`
  const node: [string, ...string[]] = watch ? ['node', '--watch', '--watch-preserve-output'] : ['node']
  return {
    clobServer: {
      name: 'clob-server',
      command: [...node, ...EXCHANGE_FLAGS, 'src/main.ts'],
      cwd: join(root, 'apps/clob-server'),
      env: { SITE_URL: local(webPort, ''), ...settlement },
      readyUrl: `${clobUrl}/readyz`,
      // Starts as a standby: it follows another writer if there is one, and otherwise writes at once.
      restart: {
        command: [...node, ...EXCHANGE_FLAGS, 'src/standby.ts'],
        env: { STANDBY_PORT: String(settings.clobPort), SITE_URL: local(webPort, ''), ...settlement },
        readyUrl: `${clobUrl}/healthz`,
      },
    },
    web: {
      name: 'web',
      command: watch ? ['vite', 'dev', '--port', String(webPort), '--strictPort', '--host', host] : ['node', 'server.mjs'],
      cwd: join(root, 'apps/web'),
      env: { CLOB_URL: writerUrl, METRICS_PORT: '', ...settlement }, // the exchange has that port
      // In production pages are served under the public address alone.
      readyUrl: local(webPort, mode === 'production' ? '/healthz' : '/'),
    },
    syncWorker: {
      name: 'sync-worker',
      command: [...node, ...SMALL, 'src/main.ts'],
      cwd: join(root, 'apps/sync-worker'),
      env: { CLOB_URL: writerUrl, ...settlement },
      readyUrl: local(workerPort, '/healthz'),
    },
    settler: {
      name: 'settler',
      command: [...node, ...SMALL, 'src/main.ts'],
      cwd: join(root, 'apps/settler'),
      env: { CLOB_URL: writerUrl, ...settlement },
      readyUrl: local(settlerPort, '/healthz'),
      restart: { always: true }, // trading goes on without it
    },
    marketMaker: {
      name: 'market-maker',
      command: ['node', 'src/main.ts', '--url', clobUrl, '--data', dataDir, '--catalogue', catalogueOf(root, dataDir)],
      cwd: join(root, 'examples/market-maker'),
      readyWords: /^quoting \d+ markets$/m,
    },
  }
}
