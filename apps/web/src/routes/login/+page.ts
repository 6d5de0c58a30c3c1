import { nextPath } from '#lib/account/next-path.ts'
import type { PageLoad } from './$types'

export const load: PageLoad = ({ url }) => ({ next: nextPath(url.searchParams) })
