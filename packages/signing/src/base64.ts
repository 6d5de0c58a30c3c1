const STANDARD = /^[A-Za-z0-9+/]*={0,2}$/
const URL_SAFE = /^[A-Za-z0-9_-]*={0,2}$/

/** Thrown when a text is not valid base64. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error'
}

/** Bytes as base64 with padding, `-` and `_` in place of `+` and `/`. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}

/**
 * Decodes padded base64 in either alphabet, but not a mix. Strict: one text per value, no white space, no non-zero trailing bits. Throws a
 * `Base64Error` on anything else.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 !== 0 || !(STANDARD.test(text) || URL_SAFE.test(text))) throw new Base64Error('not base64')
  const url = text.replaceAll('+', '-').replaceAll('/', '_')
  let binary: string
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch (cause) {
    throw new Base64Error('not base64', { cause })
  }
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
  if (encodeBase64Url(bytes) !== url) throw new Base64Error('base64 with stray bits')
  return bytes
}
