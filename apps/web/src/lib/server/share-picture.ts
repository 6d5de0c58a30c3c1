import { basename } from 'node:path/posix'
import { artName } from '@augury/art/address'
import { drawArt } from '@augury/art/draw'
import { readUpload } from '@augury/platform/admin/upload-image'
import type { Site } from '@augury/platform/site/site'
import type { SiteBrand } from '@augury/platform/themes/site-brand'
import { ServiceError } from '@augury/wire/service-error'
import { m } from '#lib/paraglide/messages.js'
import { getLocale } from '#lib/paraglide/runtime.js'
import ownMark from '../../../static/icon.svg?raw'
import { drawSharePicture, type SharePicture } from './draw-picture.ts'

/** Number of cached images, and their lifetime: a new price causes a new image at most every five minutes. */
const MOST = 200
const FRESH_MS = 300_000

/** Most images waiting to be drawn, one at a time, which bounds the work that crawlers can cause; and most that one address asked for. */
const WAITING = 20
const WAITING_OF_ONE = 4

/**
 * Caches images of pages, one for each language of a request: each is drawn once per content, and redrawn for new content at most every five
 * minutes. Throws `overloaded` when too many are waiting, in all or for the same client address.
 */
export function sharePictures(draw: (wanted: SharePicture) => Promise<Buffer>) {
  const kept = new Map<string, { at: number; picture: Promise<Buffer> }>()
  let last: Promise<unknown> = Promise.resolve()
  /** Whom each waiting image is drawn for. */
  const waiting: string[] = []
  return (path: string, wanted: SharePicture, { now, address }: { now: number; address: string }): Promise<Buffer> => {
    const page = `${getLocale()} ${path}`
    const cached = kept.get(page)
    if (cached && now - cached.at < FRESH_MS) return cached.picture
    const isTooMany = waiting.length >= WAITING || waiting.filter((other) => other === address).length >= WAITING_OF_ONE
    if (isTooMany) return cached?.picture ?? Promise.reject(new ServiceError('overloaded', { retryAfter: 5 }))
    waiting.push(address)
    const picture = last.then(() => draw(wanted)).finally(() => waiting.splice(waiting.indexOf(address), 1))
    last = picture.catch(() => kept.delete(page))
    kept.delete(page)
    kept.set(page, { at: now, picture })
    if (kept.size > MOST) kept.delete(kept.keys().next().value!)
    return picture
  }
}

/** The sharing image of a page. */
const sharePicture = sharePictures(drawSharePicture)

/** Name and icon of a site for its images: the operator's icon or the default one. */
export function pictureSite(site: Pick<Site, 'blobs'>, { name, icons }: Pick<SiteBrand, 'name' | 'icons'>): SharePicture['site'] {
  const mark = async () => {
    const icon = await readUpload(site, basename(icons.small))
    return icon ? dataAddress(icon.headers['Content-Type']!, icon.bytes) : OWN_MARK
  }
  return { name, mark }
}

/** A picture of the site as a `data:` URL: an upload, or a drawn one. */
async function pictureData(site: Pick<Site, 'blobs'>, path: string): Promise<string> {
  const upload = path.startsWith('/uploads/') ? await readUpload(site, basename(path)) : null
  if (upload) return dataAddress(upload.headers['Content-Type']!, upload.bytes)
  return dataAddress('image/svg+xml', Buffer.from(drawArt(artName(path) ?? '') ?? ownMark))
}

const dataAddress = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const OWN_MARK = dataAddress('image/svg+xml', Buffer.from(ownMark))

/** Responds with the sharing image of a page; that of a sandbox says that it is one. */
export async function answerPicture(
  { brand, clientAddress, platform, settings, site }: App.Locals,
  page: string,
  { art, ...content }: Omit<SharePicture, 'site' | 'notice' | 'picture'> & { art?: string },
): Promise<Response> {
  const notice = settings.mode === 'sandbox' ? m.status_play_money() : ''
  const picture = art === undefined ? undefined : () => pictureData(site, art)
  const wanted = { ...content, notice, picture, site: pictureSite(site, brand) }
  const drawn = await sharePicture(page, wanted, { now: platform.now().getTime(), address: clientAddress })
  return new Response(new Uint8Array(drawn), { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=300' } })
}
