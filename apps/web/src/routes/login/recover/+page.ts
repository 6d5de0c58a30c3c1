import { nextPath } from '#lib/account/next-path.ts'
import type { PageLoad } from './$types'

export const load: PageLoad = ({ url, data }) => ({ ...data, next: nextPath(url.searchParams) })
