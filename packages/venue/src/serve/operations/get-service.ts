import { ServiceError } from '@augury/wire/service-error'
import type { ServiceStatus } from '@augury/wire/service-status'
import { roleOf } from '../../record/venue.ts'
import type { Context } from './context.ts'

/** Answers OK. */
export const getRoot = async (): Promise<'OK'> => 'OK'
/** Answers OK. */
export const getOk = async (): Promise<'OK'> => 'OK'
/** The wall clock in Unix seconds. */
export const getTime = async (): Promise<number> => Math.floor(Date.now() / 1000)
/** The version of signed orders that new clients should use. */
export const getVersion = async () => ({ version: 2 })

/** Mode, position in the log, and lag of history. */
export async function getStatus(ctx: Context): Promise<ServiceStatus> {
  const status = ctx.venue.status()
  return {
    mode: status.writer === 'starting' ? 'starting' : status.mode,
    since: new Date(status.since).toISOString(),
    seq: status.seq,
    epoch: ctx.venue.timeline,
    projected_seq: status.projectedSeq,
    lag: status.lagSeconds,
    history: status.isHistoryStopped ? 'stopped' : 'following',
    writer: status.writer,
    sandbox: ctx.settings.sandbox,
    chain_id: ctx.settings.chainId,
  }
}

/** Liveness: the process answers. */
export const getHealthz = async () => ({ status: 'ok' as const })

/**
 * Readiness: this process is the writer and its lease is verified. Stopped history is reported, not refused. Throws `service_unavailable`.
 */
export async function getReadyz(ctx: Context): Promise<{ status: 'ok'; history: 'following' | 'stopped' }> {
  const status = ctx.venue.status()
  const role = roleOf(status)
  if (role !== 'primary') throw new ServiceError('service_unavailable', { extras: { status: role } })
  return { status: 'ok', history: status.isHistoryStopped ? 'stopped' : 'following' }
}
