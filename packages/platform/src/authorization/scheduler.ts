import { createHash, timingSafeEqual } from 'node:crypto'
import type { Admin } from './viewer.ts'
import type { Arrival } from './visit.ts'

declare const proven: unique symbol

/** A caller that may run jobs: the worker process, a caller with the scheduler's secret, or an admin. */
export interface Scheduler {
  readonly kind: 'scheduler'
  /** Appears in the history of runs. */
  readonly name: string
  readonly [proven]: true
}

const prove = (name: string) => ({ kind: 'scheduler', name }) as Scheduler

/** The identity of a worker process; only its composition root makes one. */
export const workerScheduler = (name: string): Scheduler => prove(name)

/** The identity of an admin who runs a job by hand. */
export const adminScheduler = (admin: Admin): Scheduler => prove(`admin ${admin.address}`)

/** The scheduler behind a request with the secret in its header, or null. */
export function presentedScheduler({ header, clientAddress }: Arrival, secret: string): Scheduler | null {
  if (header('sec-fetch-mode') === 'navigate') return null
  const [, presented] = /^Bearer (.+)$/i.exec(header('authorization') ?? '') ?? []
  if (presented === undefined || !timingSafeEqual(digest(presented), digest(secret))) return null
  return prove(`route from ${clientAddress}`)
}

/** Hashes both sides to one length, so that the time of the comparison tells nothing. */
const digest = (text: string) => createHash('sha256').update(text).digest()
