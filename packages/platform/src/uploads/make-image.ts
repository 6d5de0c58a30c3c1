import type { ImageUse } from '@augury/wire/platform/admin-uploads'
import { ServiceError } from '@augury/wire/service-error'
import { sanitizeSvg, UNSEEN } from './sanitize-svg.ts'

/** Most pixels of an image that is decoded; more would be a way to keep the site busy. */
const PIXELS = 16_000_000
/** Side of the square in pixels that each use fits into, or fills with `cut`. */
const SHAPES: Readonly<Record<ImageUse, { side: number; cut: boolean }>> = {
  logo: { side: 512, cut: false },
  icon192: { side: 192, cut: true },
  icon512: { side: 512, cut: true },
  event: { side: 512, cut: false },
}

/** First bytes of the accepted formats, whatever the file name says. */
const BEGINNINGS: readonly (readonly [kind: string, matches: (bytes: Buffer) => boolean])[] = [
  ['png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
  ['svg', (bytes) => /^\uFEFF?\s*<(\?xml|!--|svg)/.test(bytes.toString('utf8', 0, 200))],
]

/** A re-encoded file. */
export interface MadeImage {
  bytes: Buffer
  extension: 'png' | 'svg' | 'webp'
  type: 'image/png' | 'image/svg+xml' | 'image/webp'
  width: number | null
  height: number | null
  svg: string
  /** The same at 128 pixels, for lists. */
  small?: Buffer
}

/** The square of an image that is kept: its corner as shares of width and height, its side as a share of the shorter one. */
export interface Crop {
  x: number
  y: number
  side: number
}

/** Side of the small form of an event's image. */
const SMALL = 128

/**
 * Re-encodes an uploaded image for its use; its type is detected by its first bytes, and the uploaded bytes are never served. A logo drawn
 * as SVG stays one; everything else becomes a PNG without metadata, that of an event a WebP in two sizes. Throws `image_unusable`.
 */
export async function makeImage(source: Buffer, use: ImageUse, crop?: Crop): Promise<MadeImage> {
  const kind = BEGINNINGS.find(([, matches]) => matches(source))?.[0]
  if (kind === undefined) throw unusable('expected PNG, JPEG, WebP or SVG')
  if (kind !== 'svg') return pixels(source, use, crop)
  const svg = sanitizeSvg(source.toString('utf8'))
  if (use !== 'logo') return pixels(Buffer.from(svg), use, crop)
  return { bytes: Buffer.from(svg), extension: 'svg', type: 'image/svg+xml', width: null, height: null, svg }
}

async function pixels(source: Buffer, use: ImageUse, crop?: Crop): Promise<MadeImage> {
  const sharp = await loadSharp()
  const { side, cut } = SHAPES[use]
  let made: { data: Buffer; info: { width: number; height: number } }
  try {
    const image = sharp(source, { limitInputPixels: PIXELS, failOn: 'error', pages: 1 })
    const upright = image.autoOrient()
    made = await (crop ? upright.extract(squareOf((await image.metadata()).autoOrient, crop)) : upright)
      .resize(side, side, cut ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw new ServiceError('image_unusable', { details: { reason: (error as Error).message.split('\n')[0]!.slice(0, 200) }, cause: error })
  }
  const { data, info } = made
  const { isOpaque, channels } = await sharp(data).stats()
  if (!isOpaque && channels.at(-1)!.max === 0) throw unusable(UNSEEN)
  if (use === 'event') {
    const bytes = await sharp(data).webp({ quality: 80 }).toBuffer()
    const small = await sharp(data).resize(SMALL, SMALL, { fit: 'cover' }).webp({ quality: 82 }).toBuffer()
    return { bytes, small, extension: 'webp', type: 'image/webp', width: info.width, height: info.height, svg: '' }
  }
  return { bytes: data, extension: 'png', type: 'image/png', width: info.width, height: info.height, svg: '' }
}

/** The kept part in pixels. */
function squareOf({ width, height }: { width: number; height: number }, crop: Crop) {
  const side = Math.max(1, Math.floor(Math.min(width, height) * crop.side))
  const left = Math.min(width - side, Math.round(width * crop.x))
  return { left, top: Math.min(height - side, Math.round(height * crop.y)), width: side, height: side }
}

type Sharp = typeof import('sharp').default
let loaded: Promise<Sharp> | undefined

/** Loads the codecs with the first image, and only those of the accepted formats. */
function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer', 'VipsForeignLoadSvgBuffer'],
    })
    return sharp
  })
  return loaded
}

const unusable = (reason: string) => new ServiceError('image_unusable', { details: { reason } })
