const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Seconds for which a code is valid. */
const STEP = 30

/**
 * The current six-digit code (RFC 6238) of an `otpauth:` URL or its secret, for scripts that keep their own second factor.
 * Throws a `TypeError` when there is no valid secret.
 */
export async function totpCode(otpauth: string, unixMs: number = Date.now()): Promise<string> {
  const secret = otpauth.startsWith('otpauth:') ? new URL(otpauth).searchParams.get('secret') : otpauth
  const key = await crypto.subtle.importKey('raw', decodeBase32(secret ?? ''), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign'])
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(Math.floor(unixMs / 1000 / STEP)))
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter))
  const at = mac.getUint8(mac.byteLength - 1) & 15
  return String((mac.getUint32(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const letters = text.replace(/=+$/, '').toUpperCase()
  if (letters === '' || [...letters].some((letter) => !ALPHABET.includes(letter)))
    throw new TypeError('the secret of an authenticator is base32')
  const bits = [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from({ length: Math.floor(bits.length / 8) }, (_, i) => Number.parseInt(bits.slice(8 * i, 8 * i + 8), 2))
}
