import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { guideText } from '#lib/server/guides.ts'
import { markdownResponse } from '#lib/server/markdown.ts'
import type { RequestHandler } from './$types'

/** A guide as Markdown. */
export const GET: RequestHandler = ({ params: { guide } }) => {
  const text = guideText(guide)
  if (text === null) error(404, m.docs_none())
  return markdownResponse(text)
}
