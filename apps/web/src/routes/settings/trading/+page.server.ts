import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Where notifications about trading lead. */
export const load: PageServerLoad = () => redirect(307, '/settings/devices')
