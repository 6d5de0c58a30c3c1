import { z } from 'zod'
import { operation } from '../operation.ts'
import { done } from './admin-envelope.ts'

/** Largest image in bytes, and largest request with one. */
export const IMAGE_BYTES = 2 * 1024 * 1024
const IMAGE_BODY = 3 * 1024 * 1024
/** Images that a site stores in any 24 hours, over all admins. */
export const IMAGES_A_DAY = 1000

/** Use of an image, which decides its size. */
const imageUse = z.enum(['logo', 'icon192', 'icon512', 'event'])

/** Images. */
export const adminUploadOperations = {
  adminUpload: operation({
    method: 'POST',
    path: '/admin/api/uploads/{use}',
    auth: 'admin',
    budget: 'uploads',
    summary:
      'Stores a PNG, JPEG, WebP or SVG below 2 MB, sent or fetched from an address, made anew from its pixels or its harmless parts; what it is for sets its size.',
    params: z.object({ use: imageUse }),
    body: z.strictObject({
      /** The file in base64; or `url`. */
      data: z.base64().min(4).optional(),
      /** A web address by https from which the site fetches the file. */
      url: z
        .string()
        .max(2048)
        .regex(/^https:\/\/[^\s"'<>]+$/, 'expected a web address by https')
        .optional(),
      /** The square that is kept: its corner as shares of width and height, its side as a share of the shorter one. */
      crop: z.strictObject({ x: z.number().min(0).max(1), y: z.number().min(0).max(1), side: z.number().min(0.05).max(1) }).optional(),
    }),
    bodyLimit: IMAGE_BODY,
    output: done(
      z.object({
        /** Path on the site, as used in settings and events. */
        path: z.string(),
        url: z.string(),
        type: z.string(),
        width: z.int().nullable(),
        height: z.int().nullable(),
        bytes: z.int(),
        /** The sanitised SVG; empty for bitmaps. */
        svg: z.string(),
      }),
    ),
    refusals: ['image_unusable', 'payload_too_large'],
    repeatable: true,
  }),
} as const

export type ImageUse = z.output<typeof imageUse>
