import type { keyOperations } from '../../operations/keys.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, apiKey } from './subjects.ts'

const credentials = {
  apiKey,
  secret: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  passphrase: '0c61e2ee9f2ab1f1fd85a9c0a4f65a1e6e9de4fb4b3d7d7c42a5b0c5d6e7f809',
}

export const keyExamples: ExamplesOf<typeof keyOperations> = {
  createKey: { body: { name: 'my bot', scope: 'trade' }, output: credentials },
  deriveKey: { output: credentials },
  relayKey: {
    body: { address: alice, timestamp: '1767225600', nonce: '1', signature: `0x${'5a'.repeat(64)}1b` },
    output: credentials,
  },
  listKeys: {
    output: {
      apiKeys: [apiKey],
      keys: [
        {
          apiKey,
          name: 'my bot',
          scope: 'trade',
          nonce: '1',
          created_at: '2026-01-01T00:00:00.000Z',
          last_used: '2026-01-02T09:30:00.000Z',
        },
      ],
    },
  },
  deleteKey: { output: 'OK' },
  getClosedOnly: { output: { closed_only: false } },
  createReadonlyKey: { output: credentials },
  listReadonlyKeys: { output: [apiKey] },
  deleteReadonlyKey: { body: { key: apiKey }, output: true },
  validateReadonlyKey: { query: { address: alice, key: apiKey }, output: alice },
}
