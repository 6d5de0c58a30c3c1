import { mainTags } from '@augury/platform/events/main-tags'
import { guides } from '#lib/server/guides.ts'
import { markdownResponse, siteMarkdown } from '#lib/server/markdown.ts'
import type { RequestHandler } from './$types'

/** Entry point for language models. */
export const GET: RequestHandler = async ({ locals: { brand, platform, settings } }) =>
  markdownResponse(
    siteMarkdown({ brand, guides, origin: settings.origin, exchange: settings.publicClobUrl, categories: await mainTags(platform) }),
  )
