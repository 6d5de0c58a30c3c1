import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { anonymous } from '@augury/platform/identity/viewer'
import { eventPicture } from '#lib/server/event-picture.ts'
import { answerPicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of an event, with its leading outcomes. */
export const GET: RequestHandler = async ({ locals, params: { slug } }) =>
  answerPicture(locals, slug, eventPicture(await eventBySlug(locals.platform, anonymous, { slug, locale: locals.locale, listed: true })))
