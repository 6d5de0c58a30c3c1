import { createHash } from 'node:crypto'
import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import { type adminUploadOperations, IMAGE_BYTES, IMAGES_A_DAY, type ImageUse } from '@augury/wire/platform/admin-uploads'
import { ServiceError } from '@augury/wire/service-error'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { fetchImage } from '../uploads/fetch-image.ts'
import { type Crop, type MadeImage, makeImage } from '../uploads/make-image.ts'

/** Path below which uploads are served. */
const UPLOADS = '/uploads/'
const NAME = /^[0-9a-f]{64}(?:-128)?\.(png|svg|webp)$/
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml', webp: 'image/webp' }

const DAY = 86_400_000

/** Converts and stores an image. Throws `payload_too_large` from 2 MB on, `rate_limited` beyond the day's images, and `image_unusable`. */
export async function uploadImage(
  site: Site,
  admin: Admin,
  {
    params: { use },
    body,
  }: { params: { use: ImageUse }; body: { data?: string | undefined; url?: string | undefined; crop?: Crop | undefined } },
): Promise<Output<typeof adminUploadOperations.adminUpload>> {
  await requireWithinDay(site)
  const source = body.url === undefined ? Buffer.from(body.data ?? '', 'base64') : await fetchImage(body.url)
  if (source.length > IMAGE_BYTES) throw new ServiceError('payload_too_large')
  const made = await makeImage(source, use, body.crop)
  const { bytes, type, width, height, svg } = made
  const path = await storeImage(site, made)
  return runAsAdmin(site, admin, async () => ({
    answer: { success: true, data: { path, url: site.settings.origin + path, type, width, height, bytes: bytes.length, svg } },
    record: { action: 'image_uploaded', target: path, after: { use, bytes: bytes.length } },
  }))
}

/** Stores an image, and its small form beside it. Returns its path. */
export async function storeImage({ blobs }: Pick<Site, 'blobs'>, { bytes, small, extension, type }: MadeImage): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (small) await blobs.put(`${hash}-128.${extension}`, small, type)
  await blobs.put(`${hash}.${extension}`, bytes, type)
  return `${UPLOADS}${hash}.${extension}`
}

/** Limits what a stolen admin session can store: counted in the admin log, across all processes. */
async function requireWithinDay(site: Site): Promise<void> {
  const oldest = await tables(site.em())
    .selectFrom('audit_log')
    .select('at')
    .where('action', '=', 'image_uploaded')
    .orderBy('position', 'desc')
    .limit(1)
    .offset(IMAGES_A_DAY - 1)
    .executeTakeFirst()
  const wait = oldest ? oldest.at.getTime() + DAY - site.now().getTime() : 0
  if (wait > 0) throw new ServiceError('rate_limited', { retryAfter: Math.ceil(wait / 1000) })
}

/** An upload as it is served. */
export interface Served {
  bytes: Uint8Array
  headers: Record<string, string>
}

/**
 * A stored file with headers that make it safe to open anywhere: its type is fixed, it runs nothing, and it never changes. Null for an
 * unknown name.
 */
export async function readUpload(site: Pick<Site, 'blobs'>, name: string): Promise<Served | null> {
  const extension = NAME.exec(name)?.[1]
  const bytes = extension === undefined ? null : await site.blobs.get(name)
  if (!bytes) return null
  return {
    bytes,
    headers: {
      'Content-Type': TYPES[extension!]!,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition': 'inline',
    },
  }
}
