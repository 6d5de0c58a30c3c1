import { guides } from '#lib/server/guides.ts'
import type { LayoutServerLoad } from './$types'

export const load: LayoutServerLoad = () => ({ contents: guides.map(({ slug, title }) => ({ slug, title })) })
