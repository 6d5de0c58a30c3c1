import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { anonymous } from '@augury/platform/identity/viewer'
import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { marketPicture } from '#lib/server/event-picture.ts'
import { answerPicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of one outcome of an event. */
export const GET: RequestHandler = async ({ locals, params: { slug, market } }) => {
  const content = marketPicture(await eventBySlug(locals.platform, anonymous, { slug, locale: locals.locale, listed: true }), market)
  if (!content) error(404, m.error_market())
  return answerPicture(locals, `${slug}/${market}`, content)
}
