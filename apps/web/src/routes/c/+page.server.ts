import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Categories are tabs of the front page. */
export const load: PageServerLoad = () => redirect(307, '/')
