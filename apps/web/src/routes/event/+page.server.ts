import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Events are listed on the front page. */
export const load: PageServerLoad = () => redirect(307, '/')
