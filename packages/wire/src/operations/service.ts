import { z } from 'zod'
import { operation } from '../operation.ts'
import { health, serviceStatus } from '../service-status.ts'

const read = { method: 'GET', auth: 'public', repeatable: true, refusals: [] } as const
const ok = z.literal('OK')

export const serviceOperations = {
  getRoot: operation({ ...read, path: '/', summary: 'Answers OK.', output: ok }),
  getOk: operation({ ...read, path: '/ok', summary: 'Answers OK.', output: ok }),
  getTime: operation({ ...read, path: '/time', summary: 'The wall clock in Unix seconds.', output: z.int() }),
  getVersion: operation({
    ...read,
    path: '/version',
    summary: 'Version of signed orders that new clients should use.',
    output: z.object({ version: z.int() }),
  }),
  getStatus: operation({
    ...read,
    path: '/status',
    summary: 'Mode, position in the log, and lag of history queries.',
    output: serviceStatus,
  }),
  getHealthz: operation({ ...read, path: '/healthz', summary: 'Alive.', output: health }),
  getReadyz: operation({
    ...read,
    path: '/readyz',
    summary: 'Ready to serve; 503 when not.',
    output: health,
    refusals: ['service_unavailable'],
    refusalExtras: health.pick({ status: true }).partial(),
  }),
}
