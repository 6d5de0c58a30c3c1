import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** The markets of every series are listed on the front page. */
export const load: PageServerLoad = () => redirect(307, '/')
