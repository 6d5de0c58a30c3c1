import { createHash, timingSafeEqual } from 'node:crypto'
import type { Admin } from './viewer.ts'
import type { Arrival } from './visit.ts'

declare const proven: unique symbol

/** Who may run jobs: the worker's own process, or a caller who knew the scheduler's secret. */
export interface Scheduler {
  readonly kind: 'scheduler'
  /** Appears in the history of runs. */
  readonly name: string
  readonly [proven]: true
}

const prove = (name: string) => ({ kind: 'scheduler', name }) as Scheduler

/** The identity of a worker process; only its composition root makes one. */
export const workerScheduler = (name: string): Scheduler => prove(name)

/** An admin who does not wait for the clock. */
export const adminScheduler = (admin: Admin): Scheduler => prove(`admin ${admin.address}`)

/** The scheduler behind a request that brought the secret, or null. Nobody runs a job by opening a page, whatever the page knows. */
export function presentedScheduler({ header, clientAddress }: Arrival, secret: string): Scheduler | null {
  if (header('sec-fetch-mode') === 'navigate') return null
  const [, presented] = /^Bearer (.+)$/i.exec(header('authorization') ?? '') ?? []
  if (presented === undefined || !timingSafeEqual(digest(presented), digest(secret))) return null
  return prove(`route from ${clientAddress}`)
}

/** Of one length, and nothing that can be chosen byte by byte: how long the comparison takes tells nothing. */
const digest = (text: string) => createHash('sha256').update(text).digest()
