import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { anonymous } from '@augury/platform/authorization/viewer'
import { eventView } from '#lib/event/event-view.ts'
import { eventMarkdown, markdownResponse } from '#lib/server/markdown.ts'
import type { RequestHandler } from './$types'

/** An event as Markdown. */
export const GET: RequestHandler = async ({ locals: { platform, settings }, params: { slug } }) =>
  markdownResponse(eventMarkdown(eventView(await eventBySlug(platform, anonymous, { slug, listed: true })), settings))
