import { answerPicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of the site. */
export const GET: RequestHandler = async ({ locals }) =>
  answerPicture(locals, '', { title: locals.brand.description || locals.brand.name, rows: [], foot: '' })
