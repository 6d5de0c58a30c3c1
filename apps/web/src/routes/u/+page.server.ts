import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

/** Members are listed on the leaderboard. */
export const load: PageServerLoad = () => redirect(307, '/leaderboard')
