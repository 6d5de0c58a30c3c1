import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Only single events are embedded; the guides say how. */
export const load: PageServerLoad = () => redirect(307, '/docs')
