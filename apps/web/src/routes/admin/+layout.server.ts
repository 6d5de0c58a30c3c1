import { claimAdmin } from '@augury/platform/admin/admins'
import { ServiceError } from '@augury/wire/service-error'
import { error, redirect } from '@sveltejs/kit'
import { requireAdmin } from '#lib/server/require-admin.ts'
import type { LayoutServerLoad } from './$types'

/** Secret in the link printed by the first start. */
const CLAIM = /^[\w-]{43}$/

export const load: LayoutServerLoad = async ({ locals: { site, viewer }, url }) => {
  const token = url.searchParams.get('claim') ?? ''
  if (CLAIM.test(token) && viewer.kind === 'member' && !viewer.isAdmin) {
    try {
      await claimAdmin(site, viewer, { body: { token } })
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal
      error(refusal.status, refusal.message)
    }
    redirect(303, '/admin')
  }
  requireAdmin(viewer, url)
}
