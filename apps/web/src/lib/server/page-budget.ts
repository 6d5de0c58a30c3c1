import { isLoopback } from '@augury/platform/outbound/addresses'
import type { Site } from '@augury/platform/site/site'

/** A page shows many of them, browsers keep them for ever, and they cost little. */
const UPLOADS = '/uploads/[name]'
/** The network of `::1`, by which its budgets are counted. */
const OWN_NETWORK = '0:0:0:0/64'

/**
 * Counts a page, or a file made like one, against the budget of the visitor, signed in or not. Programs on a sandbox's own machine have
 * none, as on the exchange. Throws `rate_limited`.
 */
export async function countPage(
  { budgets, settings }: Pick<Site, 'budgets'> & { settings: Pick<Site['settings'], 'mode'> },
  { route, address }: { route: string | null; address: string },
): Promise<void> {
  if (route === UPLOADS) return
  if (settings.mode === 'sandbox' && (isLoopback(address) || address === OWN_NETWORK)) return
  await budgets.spend('pages', address)
}
