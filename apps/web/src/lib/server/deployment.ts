import { openSite, type Site } from '@augury/platform/site'
import { type WebSettings, webSettings } from '@augury/settings/env'
import { log } from './log.ts'

/** The resources that this process serves pages from. */
export interface Deployment {
  settings: WebSettings
  site: Site
}

/** Stored globally, so that reloading the module in development does not open a second connection pool. */
const kept = globalThis as { __deployment?: Promise<Deployment> }

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
  return { settings, site: await openSite(settings) }
}

/** Closes the deployment, so that the process can end. */
export async function closeDeployment(): Promise<void> {
  const opened = await kept.__deployment
  kept.__deployment = undefined
  await opened?.site.close()
}
