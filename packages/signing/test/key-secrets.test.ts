import { describe, expect, test } from 'vitest'
import { decodeBase64 } from '../src/base64.ts'
import { deriveKeySecrets } from '../src/key-secrets.ts'

const server = Buffer.alloc(32, 7)
const identity = { address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', nonce: '0', generation: 0, kind: 'api' }

describe('the three parts of an API key', () => {
  test('are the same for the same wallet and nonce, whatever the case of the address', () => {
    const first = deriveKeySecrets(server, identity)
    expect(deriveKeySecrets(server, { ...identity, address: identity.address.toUpperCase() })).toEqual(first)
    expect(first.apiKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(first.passphrase).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    ['server', Buffer.alloc(32, 8), identity],
    ['address', server, { ...identity, address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8' }],
    ['nonce', server, { ...identity, nonce: '1' }],
    ['generation', server, { ...identity, generation: 1 }],
    ['kind', server, { ...identity, kind: 'readonly' }],
  ])('all differ with another %s', (_, secret, other) => {
    const [a, b] = [deriveKeySecrets(server, identity), deriveKeySecrets(secret, other)]
    expect([a.apiKey === b.apiKey, a.secret === b.secret, a.passphrase === b.passphrase]).toEqual([false, false, false])
  })

  test('a secret is 32 bytes of base64 that mean the same in both alphabets', () => {
    for (let nonce = 0; nonce < 500; nonce++) {
      const { secret } = deriveKeySecrets(server, { ...identity, nonce: String(nonce) })
      expect(secret).toMatch(/^[A-Za-z0-9]{43}=$/)
      expect(decodeBase64(secret)).toHaveLength(32)
    }
  })
})
