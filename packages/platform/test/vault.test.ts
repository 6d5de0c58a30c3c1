import { hkdfSync } from 'node:crypto'
import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { decrypt, encrypt, Vault, VaultError } from '../src/crypto/vault.ts'
import aes from './vectors/wycheproof/aes_gcm_test.json' with { type: 'json' }
import hkdf from './vectors/wycheproof/hkdf_sha256_test.json' with { type: 'json' }

const hex = (text: string) => Buffer.from(text, 'hex')
const usual = aes.testGroups.filter(({ keySize, ivSize, tagSize }) => keySize === 256 && ivSize === 96 && tagSize === 128)

test.each(usual.flatMap(({ tests }) => tests))(
  'wycheproof AES-256-GCM $tcId $comment: $result',
  ({ key, iv, aad, msg, ct, tag, result }) => {
    const open = () => decrypt(hex(key), hex(iv), hex(aad), hex(ct + tag)).toString('hex')
    if (result === 'invalid') return void expect(open).toThrow(VaultError)
    expect(open()).toBe(msg)
    expect(encrypt(hex(key), hex(iv), hex(aad), hex(msg)).toString('hex')).toBe(ct + tag)
  },
)

test.each(hkdf.testGroups.flatMap(({ tests }) => tests))(
  'wycheproof HKDF-SHA-256 $tcId $comment: $result',
  ({ ikm, salt, info, size, okm, result }) => {
    const derive = () => Buffer.from(hkdfSync('sha256', hex(ikm), hex(salt), hex(info), size)).toString('hex')
    if (result === 'invalid') expect(derive).toThrow()
    else expect(derive()).toBe(okm)
  },
)

const one = { id: '1', key: Buffer.alloc(32, 1) }
const two = { id: '2', key: Buffer.alloc(32, 2) }
const vault = new Vault([one])
const place = { user: 'u1', field: 'two_factor.secret' }

test('a sealed value can be opened in its place', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (secret) => vault.open(vault.seal(secret, place), place) === secret))
})

test('sealing the same secret twice gives different values', () => {
  const sealed = Array.from({ length: 1000 }, () => vault.seal('secret', place))
  expect(new Set(sealed.map((text) => text.slice(5, 5 + 37))).size).toBe(1000) // salt and IV
  expect(sealed.filter((text) => text.includes('secret'))).toEqual([])
})

const sealed = vault.seal('secret', place)
const body = sealed.slice(5)
const flipped = (at: number) => {
  const bytes = Buffer.from(body, 'base64url')
  bytes[at]! ^= 1
  return `v1.1.${bytes.toString('base64url')}`
}
test.each<[string, () => string]>([
  ['moved to another user', () => vault.open(sealed, { ...place, user: 'u2' })],
  ['moved to another field', () => vault.open(sealed, { ...place, field: 'credential.secret' })],
  ['under another key of that id', () => new Vault([{ id: '1', key: two.key }]).open(sealed, place)],
  ['under a key that is gone', () => new Vault([two]).open(sealed, place)],
  ['with the id of another key', () => new Vault([one, two]).open(`v1.2.${body}`, place)],
  ['with its tag cut off', () => vault.open(`v1.1.${Buffer.from(body, 'base64url').subarray(0, -16).toString('base64url')}`, place)],
  ['with half a tag', () => vault.open(`v1.1.${Buffer.from(body, 'base64url').subarray(0, -8).toString('base64url')}`, place)],
  ['cut to nothing', () => vault.open('v1.1.AAAA', place)],
  ['as plain text', () => vault.open('secret', place)],
  ['in another version', () => vault.open(`v2.1.${body}`, place)],
  ['empty', () => vault.open('', place)],
  ...Array.from({ length: Buffer.from(body, 'base64url').length }, (_, at): [string, () => string] => [
    `with byte ${at} changed`,
    () => vault.open(flipped(at), place),
  ]),
])('a sealed value %s does not open', (_, open) => {
  expect(open).toThrow(VaultError)
})

test('a new first key seals, the old one still opens, and old values are recognised', () => {
  const rotated = new Vault([two, one])
  expect(rotated.open(sealed, place)).toBe('secret')
  expect(rotated.isOutdated(sealed)).toBe(true)
  const anew = rotated.seal('secret', place)
  expect([rotated.isOutdated(anew), new Vault([two]).open(anew, place)]).toEqual([false, 'secret'])
})

test('a vault needs a key', () => {
  expect(() => new Vault([])).toThrow(VaultError)
})
