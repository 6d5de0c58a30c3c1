import { basename } from 'node:path/posix'
import type { SiteBrand } from '@augury/platform/settings/site-brand'
import type { Site } from '@augury/platform/site'
import { readUpload } from '@augury/platform/uploads/upload-image'
import { ServiceError } from '@augury/wire/service-error'
import medium from '@fontsource/inter/files/inter-latin-500-normal.woff?inline'
import bold from '@fontsource/inter/files/inter-latin-700-normal.woff?inline'
import satori from 'satori'
import sharp from 'sharp'
import { getLocale } from '#lib/paraglide/runtime.js'
import ownMark from '../../../static/icon.svg?raw'

/** Content of a sharing image: a title, optionally outcomes with formatted chances, and a footer line. */
export interface SharePicture {
  /** Name of the site, and its square icon as a `data:` URL, read only when drawing. */
  site: { name: string; mark(): Promise<string> }
  title: string
  rows: { name: string; chance: string; percent: number | null }[]
  foot: string
}

const SIZE = { width: 1200, height: 630 }
/** Number of cached images, and their lifetime: a new price causes a new image at most every five minutes. */
const MOST = 200
const FRESH_MS = 300_000

const font = (dataUrl: string) => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
const fonts = [
  { name: 'Inter', data: font(medium), weight: 500 as const, style: 'normal' as const },
  { name: 'Inter', data: font(bold), weight: 700 as const, style: 'normal' as const },
]

type Style = Record<string, string | number>
type Node =
  | { type: 'div'; props: { style: Style; children: Node[] | string } }
  | { type: 'img'; props: { style: Style; src: string; width: number; height: number } }
const box = (style: Style, children: Node[] | string): Node => ({ type: 'div', props: { style: { display: 'flex', ...style }, children } })

/** Draws the image as a PNG. Characters missing in our font are omitted. */
export async function drawSharePicture({ site, title, rows, foot }: SharePicture): Promise<Buffer> {
  const page = box(
    {
      flexDirection: 'column',
      boxSizing: 'border-box',
      width: '100%',
      height: '100%',
      padding: 64,
      background: '#0b0f14',
      color: '#edf1f5',
      fontFamily: 'Inter',
    },
    [
      box({ alignItems: 'center', gap: 18, fontSize: 30, fontWeight: 700 }, [
        { type: 'img', props: { src: await site.mark(), width: 44, height: 44, style: { borderRadius: 10 } } },
        box({}, site.name),
      ]),
      box(
        {
          display: 'block',
          lineClamp: 3,
          marginTop: 28,
          fontSize: title.length > 60 ? 40 : 54,
          fontWeight: 700,
          lineHeight: 1.15,
          letterSpacing: -1.5,
          wordBreak: 'break-word',
        },
        title,
      ),
      box(
        { flexDirection: 'column', marginTop: 'auto', gap: 14 },
        rows
          .slice(0, 3)
          .map(({ name, chance, percent }) =>
            box({ flexDirection: 'column', gap: 10 }, [
              box({ justifyContent: 'space-between', fontSize: 34, fontWeight: 500 }, [
                box({}, cut(name, 46)),
                box({ fontWeight: 700 }, chance),
              ]),
              box({ width: '100%', height: 10, borderRadius: 5, background: '#1b232c' }, [
                ...(percent === null
                  ? []
                  : [box({ width: `${Math.max(1, Math.min(100, percent))}%`, height: 10, borderRadius: 5, background: '#6ea0ff' }, '')]),
              ]),
            ]),
          ),
      ),
      box({ marginTop: 24, fontSize: 26, color: '#8f9baa', fontWeight: 500 }, foot),
    ],
  )
  const svg = await satori(page as Parameters<typeof satori>[0], { ...SIZE, fonts })
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`)

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
export const sharePicture = sharePictures(drawSharePicture)

/** Name and icon of a site for its images: the operator's icon or the default one. */
export function pictureSite(site: Pick<Site, 'blobs'>, { name, icons }: Pick<SiteBrand, 'name' | 'icons'>): SharePicture['site'] {
  const mark = async () => {
    const icon = await readUpload(site, basename(icons.small))
    return icon ? dataAddress(icon.headers['Content-Type']!, icon.bytes) : OWN_MARK
  }
  return { name, mark }
}

const dataAddress = (type: string, bytes: Uint8Array) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const OWN_MARK = dataAddress('image/svg+xml', Buffer.from(ownMark))

/** Response with an image. */
export const pictureResponse = (picture: Buffer): Response =>
  new Response(new Uint8Array(picture), { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=300' } })
