import type { deadManOperations } from '../../operations/dead-man.ts'
import type { ExamplesOf } from '../example.ts'

export const deadManExamples: ExamplesOf<typeof deadManOperations> = {
  postHeartbeat: {
    body: { heartbeat_id: '9a3c1b52-64f0-4a3e-8f0e-1f2a3b4c5d6e', timeout_ms: 10_000 },
    output: { heartbeat_id: '0b7e6f1d-2c3a-4d5e-9f60-7a8b9c0d1e2f' },
  },
  postPlainHeartbeat: { output: { status: 'ok' } },
  cancelAfter: { body: { timeout_ms: 30_000 }, output: { timeout_ms: 30_000, cancels_at: '2025-12-31T12:00:31.250Z' } },
}
