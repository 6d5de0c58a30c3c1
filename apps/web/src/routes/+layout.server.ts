import type { Viewer } from '@augury/platform/authorization/viewer'
import { mainTags } from '@augury/platform/events/main-tags'
import { getSession } from '@augury/platform/identity/manage-sessions'
import type { Platform } from '@augury/platform/site/platform'
import type { Site } from '@augury/platform/site/site'
import type { SignedInMember } from '#lib/account/account.svelte.ts'
import type { Locale } from '#lib/language/locale.ts'
import { shownBrand } from '#lib/server/brand.ts'
import { log } from '#lib/server/log.ts'
import { mergeSaved, savedHere } from '#lib/server/saved-events.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = async (event) => {
  const { analytics, brand, locale, look, platform, requestId, settings, site, viewer } = event.locals
  await mergeSaved(event)
  return {
    analytics,
    brand: shownBrand(brand),
    locale,
    look,
    sandbox: settings.mode === 'sandbox',
    origin: settings.origin,
    chainId: settings.chainId,
    walletRequired: settings.requireProxyWallet,
    clobUrl: settings.publicClobUrl,
    categories: await categories(platform, requestId, locale),
    member: await memberOf(site, viewer),
    saved: savedHere(event.cookies, viewer),
  }
}

/** The signed-in member, for every page. */
async function memberOf(site: Site, viewer: Viewer): Promise<SignedInMember | null> {
  const user = await getSession(site, viewer)
  if (!user) return null
  const { address, username, is_admin: isAdmin, two_factor_enabled: twoFactor, ways_in } = user
  return { address, username, isAdmin, twoFactor, passkeys: ways_in.passkeys, keepsKey: ways_in.keeps_key }
}

/** The tabs of the header. A failure is only logged, so that pages, above all error pages, still render. */
async function categories(platform: Platform, requestId: string, locale: Locale) {
  try {
    return await mainTags(platform, { locale })
  } catch (error) {
    log.error({ requestId, error }, 'the categories could not be read')
    return []
  }
}
