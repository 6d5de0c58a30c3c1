import type { EntityManager } from '@mikro-orm/postgresql'
import { type AuditAction, audit } from '../account/audit.ts'
import { invalidate } from '../cache/generations.ts'
import { requireFresh } from '../identity/freshness.ts'
import type { Admin } from '../identity/viewer.ts'
import type { Site } from '../site.ts'

/** What an admin did. `before` and `after` hold what changed and nothing else; never a secret. */
export interface Deed {
  action: AuditAction
  /** The member it was done to. */
  subject?: string | null
  /** What it was done to, in words of the log: a group of settings, the id of a row. */
  target?: string
  before?: unknown
  after?: unknown
}

/** What a deed is done within: on which site, in which transaction, by whom and when. */
export interface DeedContext {
  site: Site
  em: EntityManager
  admin: Admin
  now: Date
}

/** What a piece of work hands back: its answer, and the deed to write down; null when nothing changed. */
export interface Done<Answer> {
  answer: Answer
  deed: Deed | null
}

/** Does an admin's work and writes it down, all or nothing. Every process looks at its lists anew. */
export function doAsAdmin<Answer>(
  site: Site,
  admin: Admin,
  work: (em: EntityManager, now: Date) => Promise<Done<Answer>>,
): Promise<Answer> {
  return site.em().transactional(async (em) => {
    const now = site.now()
    const { answer, deed } = await work(em, now)
    if (deed) {
      await writeDown(em, admin, deed, now)
      await invalidate(em, ['lists'])
    }
    return answer
  })
}

/** The same for what cannot be taken back or opens doors: refuses `step_up_required` unless the admin proved to be there a moment ago. */
export async function doRisky<Answer>(
  site: Site,
  admin: Admin,
  work: (em: EntityManager, now: Date) => Promise<Done<Answer>>,
): Promise<Answer> {
  requireFresh(admin, site.now())
  return doAsAdmin(site, admin, work)
}

/** Writes a deed down, in the transaction of what it tells of. */
export function writeDown(em: EntityManager, admin: Admin, { action, subject = null, ...details }: Deed, now: Date): Promise<void> {
  return audit(em, { action, actor: admin.id, subject, visit: admin.visit, details }, now)
}

/** The fields of `changes` that differ from `current`, as they were and as they will be. Null when none does. */
export function difference<Row extends object>(current: Row, changes: Partial<Row>): { before: Partial<Row>; after: Partial<Row> } | null {
  const keys = (Object.keys(changes) as (keyof Row)[]).filter(
    (key) => changes[key] !== undefined && JSON.stringify(changes[key]) !== JSON.stringify(current[key]),
  )
  if (keys.length === 0) return null
  const pick = (from: Partial<Row>) => Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<Row>
  return { before: pick(current), after: pick(changes) }
}
