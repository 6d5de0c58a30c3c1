import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { apiReference } from '#lib/server/api-reference.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { settings }, params }) => {
  const reference = apiReference(settings).find(({ slug }) => slug === params.operation)
  if (!reference) error(404, m.docs_none())
  return { reference }
}
