import type { Viewer } from '@augury/platform/authorization/viewer'
import { getFunds } from '@augury/platform/portfolio/funds'
import type { Site } from '@augury/platform/site/site'
import { ServiceError } from '@augury/wire/service-error'
import { redirect } from '@sveltejs/kit'
import { nextPath } from '#lib/account/next-path.ts'
import type { PageServerLoad } from './$types'

/** The step that enables trading on this device, and the target of notifications about trading: where orders can be placed, goes on to `next`. */
export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  const next = url.searchParams.has('next') ? nextPath(url.searchParams) : '/settings/devices'
  if (await canTrade(site, viewer)) redirect(307, next)
  return { next }
}

/** Whether this device may place orders; no while the exchange does not answer. */
async function canTrade(site: Site, viewer: Viewer): Promise<boolean> {
  if (viewer.kind !== 'member') return false
  try {
    return (await getFunds(site, viewer)).usable
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return false
  }
}
