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
  extension: 'png' | 'svg'
  type: 'image/png' | 'image/svg+xml'
  width: number | null
  height: number | null
  svg: string
}

/**
 * Re-encodes an uploaded image for its use; its type is detected by its first bytes, and the uploaded bytes are never served. A logo drawn
 * as SVG stays one; everything else becomes a PNG without metadata. Throws `image_unusable`.
 */
export async function makeImage(source: Buffer, use: ImageUse): Promise<MadeImage> {
  const kind = BEGINNINGS.find(([, matches]) => matches(source))?.[0]
  if (kind === undefined) throw unusable('expected PNG, JPEG, WebP or SVG')
  if (kind !== 'svg') return pixels(source, use)
  const svg = sanitizeSvg(source.toString('utf8'))
  if (use !== 'logo') return pixels(Buffer.from(svg), use)
  return { bytes: Buffer.from(svg), extension: 'svg', type: 'image/svg+xml', width: null, height: null, svg }
}

async function pixels(source: Buffer, use: ImageUse): Promise<MadeImage> {
  const sharp = await loadSharp()
  const { side, cut } = SHAPES[use]
  let made: { data: Buffer; info: { width: number; height: number } }
  try {
    made = await sharp(source, { limitInputPixels: PIXELS, failOn: 'error', pages: 1 })
      .autoOrient()
      .resize(side, side, cut ? { fit: 'cover' } : { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    throw new ServiceError('image_unusable', { details: { reason: (error as Error).message.split('\n')[0]!.slice(0, 200) }, cause: error })
  }
  const { data, info } = made
  const { isOpaque, channels } = await sharp(data).stats()
  if (!isOpaque && channels.at(-1)!.max === 0) throw unusable(UNSEEN)
  return { bytes: data, extension: 'png', type: 'image/png', width: info.width, height: info.height, svg: '' }
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
