import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Target of links in notifications about trading. */
export const load: PageServerLoad = () => redirect(307, '/settings/devices')
