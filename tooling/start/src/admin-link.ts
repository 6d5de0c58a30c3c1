import { issueAdminClaim } from '@augury/platform/admin/admins'
import { openPlatform } from '@augury/platform/site/platform'
import type { StartSettings } from '@augury/settings/env'

/** URL that makes the signed-in member an admin, once and within a day; null where the site has an admin. */
export async function adminLink(settings: StartSettings): Promise<string | null> {
  const platform = await openPlatform(settings.databaseUrl)
  try {
    const token = await issueAdminClaim(platform, settings.adminWallets)
    return token && `${settings.origin}/admin?claim=${token}`
  } finally {
    await platform.close()
  }
}
