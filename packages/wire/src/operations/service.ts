import { z } from 'zod'
import { venueOperation } from '../operation.ts'
import { health, serviceStatus } from '../service-status.ts'

const read = { method: 'GET', auth: 'public', repeatable: true, refusals: [] } as const
const ok = z.literal('OK')

export const serviceOperations = {
  getRoot: venueOperation({ ...read, path: '/', summary: 'Answers OK.', output: ok, cost: 'look-up', shed: 'ordinary' }),
  getOk: venueOperation({ ...read, path: '/ok', summary: 'Answers OK.', output: ok, cost: 'look-up', shed: 'reduces risk' }),
  getTime: venueOperation({
    ...read,
    path: '/time',
    summary: 'The wall clock in Unix seconds.',
    output: z.int(),
    cost: 'look-up',
    shed: 'reduces risk',
  }),
  getVersion: venueOperation({
    ...read,
    path: '/version',
    summary: 'Version of signed orders that new clients should use.',
    output: z.object({ version: z.int() }),
    cost: 'look-up',
    shed: 'ordinary',
  }),
  getStatus: venueOperation({
    ...read,
    path: '/status',
    summary: 'Mode, position in the log, and lag of history queries.',
    output: serviceStatus,
    cost: 'look-up',
    shed: 'reduces risk',
  }),
  getHealthz: venueOperation({ ...read, path: '/healthz', summary: 'Alive.', output: health, cost: 'look-up', shed: 'reduces risk' }),
  getReadyz: venueOperation({
    ...read,
    path: '/readyz',
    summary: 'Ready to serve; 503 when not.',
    output: health,
    refusals: ['service_unavailable'],
    refusalExtras: health.pick({ status: true }).partial(),
    cost: 'look-up',
    shed: 'reduces risk',
  }),
}
