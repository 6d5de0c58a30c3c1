import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { invalidate } from '../cache/generations.ts'
import type { Site } from '../site/site.ts'
import { type AuditAction, audit } from './audit.ts'
import { requireFresh } from './freshness.ts'
import type { Admin } from './viewer.ts'

/** An action of an admin as the audit log keeps it. `before` and `after` hold the fields that changed and nothing else; never a secret. */
export interface AuditRecord {
  action: AuditAction
  /** Id of the member it concerns. */
  subject?: string | null
  /** What it changed: a group of settings, or the id of a row. */
  target?: string
  /** Why, in the words of the admin. */
  note?: string
  before?: unknown
  after?: unknown
}

/** Where an admin's action runs: the site, the transaction, the admin, and the time. */
export interface AdminContext {
  site: Site
  em: EntityManager
  admin: Admin
  now: Date
}

/** What an admin's action returns: its answer, and the record for the audit log; null when nothing changed. */
export interface AdminResult<Answer> {
  answer: Answer
  record: AuditRecord | null
}

/** Runs an admin's action and writes its record to the audit log, in one transaction. Invalidates the cached lists of every process. */
export function runAsAdmin<Answer>(
  site: Site,
  admin: Admin,
  work: (em: EntityManager, now: Date) => Promise<AdminResult<Answer>>,
): Promise<Answer> {
  return site.em().transactional(async (em) => {
    const now = site.now()
    const { answer, record } = await work(em, now)
    if (record) {
      await recordAction(em, admin, record, now)
      await invalidate(em, ['lists'])
    }
    return answer
  })
}

/** The same for actions that are irreversible or give access: throws `step_up_required` unless the admin has just proved to be there. */
export async function runSensitive<Answer>(
  site: Site,
  admin: Admin,
  work: (em: EntityManager, now: Date) => Promise<AdminResult<Answer>>,
): Promise<Answer> {
  requireFresh(admin, site.now())
  return runAsAdmin(site, admin, work)
}

/** Writes a record to the audit log, in the caller's transaction. */
export function recordAction(
  em: EntityManager,
  admin: Admin,
  { action, subject = null, ...details }: AuditRecord,
  now: Date,
): Promise<void> {
  return audit(em, { action, actor: admin.id, subject, visit: admin.visit, details }, now)
}

/** Whether two values are the same in the database, which keeps no order of the names in an object. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(asStored(one), asStored(other))
const asStored = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/** The fields of `changes` that differ from `current`, before and after. Null when none does. */
export function difference<Row extends object>(current: Row, changes: Partial<Row>): { before: Partial<Row>; after: Partial<Row> } | null {
  const keys = (Object.keys(changes) as (keyof Row)[]).filter((key) => changes[key] !== undefined && !isSame(changes[key], current[key]))
  if (keys.length === 0) return null
  const pick = (from: Partial<Row>) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Row>
  return { before: pick(current), after: pick(changes) }
}

/** Whether a record says that a field has a new value. */
export const hasNew = (record: AuditRecord | null, field: string): boolean => Object.hasOwn(Object(record?.after), field)
