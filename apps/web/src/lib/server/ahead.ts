import type { RequestListener } from 'node:http'
import { exactPaths } from '@augury/rest/exact-paths'
import type { Operation } from '@augury/wire/operation'
import { deployment } from './deployment.ts'
import { isOwnHost } from './own-host.ts'
import { routes } from './routes.ts'

/** Reads that count against no budget: they need not know who is behind a proxy. */
const isPlainRead = ({ method, auth, budget }: Operation) => method === 'GET' && (auth === 'public' || auth === 'optional') && !budget

let direct: RequestListener | undefined

/**
 * Answers plain reads of the platform straight from `node:http`, without what the page handler costs; hands on everything else, what is
 * meant for another site included. What a reader may know is found out by the same door.
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
