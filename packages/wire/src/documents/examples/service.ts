import type { serviceOperations } from '../../operations/service.ts'
import type { ExamplesOf } from '../example.ts'

/** Status of a healthy exchange. */
export const serviceStatus = {
  mode: 'normal',
  since: '2025-12-31T08:00:00.000Z',
  seq: 4211,
  epoch: 1,
  projected_seq: 4211,
  lag: 0,
  history: 'following',
  writer: 'primary',
  sandbox: true,
  chain_id: 80_002,
}

export const serviceExamples: ExamplesOf<typeof serviceOperations> = {
  getRoot: { output: 'OK' },
  getOk: { output: 'OK' },
  getTime: { output: 1_767_182_400 },
  getVersion: { output: { version: 2 } },
  getStatus: { output: serviceStatus },
  getHealthz: { output: { status: 'ok' } },
  getReadyz: { output: { status: 'ok' } },
}
