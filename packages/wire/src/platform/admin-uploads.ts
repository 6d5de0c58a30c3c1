import { z } from 'zod'
import { operation } from '../operation.ts'
import { done } from './admin-envelope.ts'

/** Bytes of an image as it is sent, and of a request that holds one. */
export const IMAGE_BYTES = 2 * 1024 * 1024
const IMAGE_BODY = 3 * 1024 * 1024
/** Images that a site stores in any 24 hours, whoever of its admins sends them. */
export const IMAGES_A_DAY = 1000

/** What an image is for: how large it becomes depends on it. */
const imageUse = z.enum(['logo', 'icon192', 'icon512', 'event'])

/** Images. */
export const adminUploadOperations = {
  adminUpload: operation({
    method: 'POST',
    path: '/admin/api/uploads/{use}',
    auth: 'admin',
    budget: 'uploads',
    summary: 'Stores a PNG, JPEG, WebP or SVG below 2 MB, made anew from its pixels or its harmless parts; what it is for sets its size.',
    params: z.object({ use: imageUse }),
    body: z.strictObject({
      /** The file in Base64. */
      data: z.base64().min(4),
    }),
    bodyLimit: IMAGE_BODY,
    output: done(
      z.object({
        /** Below the site; what a setting or an event takes. */
        path: z.string(),
        url: z.string(),
        type: z.string(),
        width: z.int().nullable(),
        height: z.int().nullable(),
        bytes: z.int(),
        /** A drawing as it was cleaned; empty for pixels. */
        svg: z.string(),
      }),
    ),
    refusals: ['image_unusable', 'payload_too_large'],
    repeatable: true,
  }),
} as const

export type ImageUse = z.output<typeof imageUse>
