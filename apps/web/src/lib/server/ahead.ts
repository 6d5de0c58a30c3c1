import type { RequestListener } from 'node:http'
import { exactPaths } from '@augury/rest/exact-paths'
import type { Operation } from '@augury/wire/operation'
import { deployment } from './deployment.ts'
import { isOwnHost } from './own-host.ts'
import { routes } from './routes.ts'

/** Reads without a rate limit, which do not need the client's address behind a proxy. */
const isPlainRead = ({ method, auth, budget }: Operation) => method === 'GET' && (auth === 'public' || auth === 'optional') && !budget

let direct: RequestListener | undefined

/**
 * Serves plain reads of the platform directly from `node:http`, without the cost of the page handler. Passes everything else to `otherwise`,
 * including requests for other hosts. Uses the same routes, and so the same access checks.
 */
export function answerAhead(otherwise: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    if (incoming.method !== 'GET' || !incoming.url?.startsWith('/api/')) return otherwise(incoming, outgoing)
    deployment().then(
      ({ settings, site }) => {
        if (!isOwnHost(incoming.headers.host ?? '', settings)) return otherwise(incoming, outgoing)
        if (!direct) {
          const all = routes(site)
          const operations = Object.fromEntries(Object.entries(all.operations).filter(([, operation]) => isPlainRead(operation)))
          direct = exactPaths({ ...all, operations }, otherwise)
        }
        direct(incoming, outgoing)
      },
      () => otherwise(incoming, outgoing),
    )
  }
}
