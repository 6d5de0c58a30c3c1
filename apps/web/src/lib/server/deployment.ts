import { watchNode } from '@augury/platform/chain/chain-node'
import { openSite, type Site } from '@augury/platform/site/site'
import { siteNeeds } from '@augury/platform/site/site-needs'
import { type WebSettings, webSettings } from '@augury/settings/env'
import { log } from './log.ts'

/** The resources that this process serves pages from. */
export interface Deployment {
  settings: WebSettings
  site: Site
}

/** Stored globally, so that reloading the module in development does not open a second connection pool. */
const kept = globalThis as { __deployment?: Promise<Deployment> }

/** Redis of this process, once it is open. */
let redis: Site['redis'] = null

/** The deployment of this process, opened at the first request. Failures are not cached. */
export function deployment(): Promise<Deployment> {
  kept.__deployment ??= open().catch((error) => {
    kept.__deployment = undefined
    throw error
  })
  return kept.__deployment
}

async function open(): Promise<Deployment> {
  const settings = webSettings()
  log.level = settings.logLevel
  const site = await openSite(settings, { onRedis: reportRedis })
  redis = site.redis
  if (settings.rpcUrl !== null)
    site.background.follow(watchNode(settings.rpcUrl, (chainId) => reportNode(chainId, settings.chainId), site.background.signal))
  // The first search waits for no reading of the whole catalogue. When it fails, that search tries again.
  site.background.follow(site.searched.upToDate(site.em()))
  return { settings, site }
}

/** Logs what the node behind RPC_URL answers for: contract wallets sign in only while that is the exchange's chain. */
function reportNode(answered: number | null, expected: number): void {
  if (answered === expected) log.info({ chainId: answered }, 'the node of RPC_URL serves the chain of the exchange')
  else if (answered === null) log.warn('the node of RPC_URL does not answer: contract wallets cannot sign in')
  else log.error({ chainId: answered, expected }, 'the node of RPC_URL serves another chain: contract wallets cannot sign in')
}

/** Logs that Redis is lost, or wrong, and that it is back. Nothing but the sharing among several sites depends on it. */
function reportRedis(trouble: string | null): void {
  if (trouble === null) log.info('Redis answers')
  else log.warn({ trouble }, 'Redis does not answer: this site keeps limits and lists of its own until it does')
}

/** What the HTTP server asks about this process. */
export const siteFacts = {
  /** Whether there is what the site needs. Before it has opened, nothing is. */
  needs: async () => {
    const opened = await deployment().catch(() => null)
    return opened ? siteNeeds(opened.site) : { database: false, exchange: false }
  },
  redis: () => (redis ? redis.trouble() === null : null),
}

/** Closes the deployment, so that the process can end. */
export async function closeDeployment(): Promise<void> {
  const opened = await kept.__deployment
  kept.__deployment = undefined
  await opened?.site.close()
}
