import { anonymous } from '@augury/platform/authorization/viewer'
import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { eventPicture, sideOf } from '#lib/server/event-picture.ts'
import { answerPicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of an event, with its leading outcomes, or with the one that `outcome` names. */
export const GET: RequestHandler = async ({ locals, params: { slug }, url }) => {
  const { side, mark } = sideOf(url)
  const event = await eventBySlug(locals.platform, anonymous, { slug, locale: locals.locale, listed: true })
  return answerPicture(locals, slug + mark, eventPicture(event, side))
}
