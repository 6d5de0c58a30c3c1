import { pictureResponse, sharePicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The picture of the site. */
export const GET: RequestHandler = async ({ locals: { brand, platform } }) => {
  const said = { site: brand.name, title: brand.description || brand.name, rows: [], foot: '' }
  return pictureResponse(await sharePicture('', said, platform.now().getTime()))
}
