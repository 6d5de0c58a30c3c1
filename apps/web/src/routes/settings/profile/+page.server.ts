import { getSession } from '@augury/platform/account/manage-sessions'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { site, viewer } }) => ({ user: (await getSession(site, viewer))! })
