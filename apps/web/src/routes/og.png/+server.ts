import { pictureResponse, pictureSite, sharePicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of the site. */
export const GET: RequestHandler = async ({ locals: { brand, clientAddress, platform, site } }) => {
  const content = { site: pictureSite(site, brand), title: brand.description || brand.name, rows: [], foot: '' }
  return pictureResponse(await sharePicture('', content, { now: platform.now().getTime(), address: clientAddress }))
}
