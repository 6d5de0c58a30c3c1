import { anonymous } from '@augury/platform/authorization/viewer'
import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { marketPicture, sideOf } from '#lib/server/event-picture.ts'
import { answerPicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of one market of an event, with the outcome that `outcome` names. */
export const GET: RequestHandler = async ({ locals, params: { slug, market }, url }) => {
  const { side, mark } = sideOf(url)
  const event = await eventBySlug(locals.platform, anonymous, { slug, locale: locals.locale, listed: true })
  const content = marketPicture(event, market, side)
  if (!content) error(404, m.error_market())
  return answerPicture(locals, `${slug}/${market}${mark}`, content)
}
