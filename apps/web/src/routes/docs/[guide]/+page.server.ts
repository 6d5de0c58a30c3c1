import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { guides } from '#lib/server/guides.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ params }) => {
  const guide = guides.find(({ slug }) => slug === params.guide)
  if (!guide) error(404, m.docs_none())
  return { guide }
}
