import { IMAGE_BYTES } from '@augury/wire/platform/admin-uploads'
import { ServiceError } from '@augury/wire/service-error'
import { fetchBytes, OutboundError, type OutboundPolicy } from '../outbound/fetch-outside.ts'

/** Time for an image from elsewhere, in milliseconds. */
const TIMEOUT_MS = 5000

/**
 * Fetches an image from a web address: by https, from a public address, below the size of an upload, and without redirects. Its bytes are
 * not trusted: they are made anew like those of an upload. Throws `image_unusable`.
 */
export async function fetchImage(address: string, policy: OutboundPolicy = { hosts: 'any' }): Promise<Buffer> {
  try {
    const request = { headers: { Accept: 'image/*' }, timeoutMs: TIMEOUT_MS, maxBytes: IMAGE_BYTES }
    const { status, body } = await fetchBytes(address, policy, request)
    if (status !== 200) throw new OutboundError('network', `the address answered with status ${status}`)
    return body
  } catch (error) {
    if (error instanceof OutboundError) throw new ServiceError('image_unusable', { details: { reason: error.message }, cause: error })
    throw error
  }
}
