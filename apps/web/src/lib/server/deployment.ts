import { type VenueClient, venueClient } from '@augury/client/rest'
import { openSite, type Site } from '@augury/platform/site'
import { type WebSettings, webSettings } from '@augury/settings/env'

/** How long a page waits for the exchange before it goes out without. */
const EXCHANGE_TIMEOUT_MS = 1_500

/** What this process serves pages from. */
export interface Deployment {
  settings: WebSettings
  site: Site
  /** The exchange's public routes. A page does not wait for them long. */
  exchange: VenueClient
}

/** Kept outside the module, so that a reload during development does not open a second pool of connections. */
const kept = globalThis as { __deployment?: Promise<Deployment> }

/** The deployment of this process, opened by the first request. A failure to open it is not kept. */
export function deployment(): Promise<Deployment> {
  kept.__deployment ??= open().catch((error) => {
    kept.__deployment = undefined
    throw error
  })
  return kept.__deployment
}

async function open(): Promise<Deployment> {
  const settings = webSettings()
  return {
    settings,
    site: await openSite(settings),
    exchange: venueClient({ url: settings.clobUrl, timeoutMs: EXCHANGE_TIMEOUT_MS, retry: { attempts: 2, pauseMs: 50 } }),
  }
}

/** Closes what was opened, so that the process can end. */
export async function closeDeployment(): Promise<void> {
  const opened = await kept.__deployment
  kept.__deployment = undefined
  await opened?.site.close()
}
