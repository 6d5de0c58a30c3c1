import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminAccessOperations } from '@augury/wire/platform/admin-access'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import type { Platform } from '../site/platform.ts'
import { pattern } from './list-order.ts'
import { canUndo } from './undo.ts'
import { UUID } from './uuid.ts'

type Operations = typeof adminAccessOperations
type Entry = Output<Operations['adminAuditLog']>['data'][number]

interface Row {
  id: string
  position: number
  at: string
  action: string
  client_address: string
  details: Record<string, unknown>
  actor: Who | null
  subject: Who | null
  about: Entry['about']
  total: number
}

interface Who {
  id: string
  address: `0x${string}`
  username: string | null
}

const who = (alias: string) =>
  `case when ${alias}.id is not null then jsonb_build_object('id', ${alias}.id, 'address', ${alias}.address, 'username', ${alias}.username) end`

/** What an entry is about: the event of its id, or of the market or comment with its id; a category; a theme. */
const ABOUT = `
  select 'event' as kind, id, title as name from event where id in (
    select target_id union all select event_id from comment where id = target_id
    union all select event_id from market where condition_id = details ->> 'target'
  )
  union all select 'category', id, name from tag where id = target_id
  union all select 'theme', id, name from theme where id = target_id`

const shown = (row: Who | null): Who | null => row && { ...row, address: getAddress(row.address) }

/** Entries of the audit log, newest first, and all actions that occur in it. */
export async function listAuditLog(
  platform: Platform,
  { query }: Pick<Input<Operations['adminAuditLog']>, 'query'>,
): Promise<Output<Operations['adminAuditLog']>> {
  const em = platform.em()
  const conditions = ['position is not null']
  const values: unknown[] = []
  if (query.action !== undefined) {
    conditions.push('action = ?')
    values.push(query.action)
  }
  if (query.user !== undefined) {
    conditions.push('(actor_id = ? or subject_id = ?)')
    values.push(query.user, query.user)
  }
  const search = query.search.trim().toLowerCase()
  if (search !== '') {
    conditions.push(
      `(action like ? or details::text ilike ? or client_address like ? or exists (
         select from users where users.id in (actor_id, subject_id) and (username ilike ? or address like ?))
         or details ->> 'target' in (select id::text from event where title ilike ?))`,
    )
    values.push(pattern(search.replaceAll(' ', '_')), ...Array<string>(5).fill(pattern(search)))
  }
  const { entries, total } = await read(em, conditions.join(' and '), values, query)
  const actions = await tables(em).selectFrom('audit_log').select('action').distinct().orderBy('action').execute()
  return { data: entries, totalCount: total, actions: actions.map(({ action }) => action) }
}

/** Entries about one target, newest first. */
export async function entriesOf(platform: Platform, target: string): Promise<Entry[]> {
  const { entries } = await read(platform.em(), `position is not null and details ->> 'target' = ?`, [target], { limit: 100, offset: 0 })
  return entries
}

async function read(em: EntityManager, where: string, values: unknown[], { limit, offset }: { limit: number; offset: number }) {
  const rows: Row[] = await em.execute(
    `select entry.*, ${who('actor')} as actor, ${who('subject')} as subject, to_jsonb(thing) as about from (
       select *, count(*) over ()::int as total, case when details ->> 'target' ~ '${UUID.source}' then (details ->> 'target')::uuid end as target_id
       from audit_log where ${where} order by position desc limit ? offset ?
     ) entry left join users actor on actor.id = actor_id left join users subject on subject.id = subject_id
     left join lateral (${ABOUT}) thing on true order by position desc`,
    [...values, limit, offset],
  )
  const entries: Entry[] = rows.map(({ id, position, at, action, client_address, about, details, actor, subject }) => ({
    id,
    position,
    action,
    client_address,
    about,
    details,
    at: new Date(at).toISOString(),
    actor: shown(actor),
    subject: shown(subject),
    can_undo: canUndo(action, details),
  }))
  return { entries, total: rows[0]?.total ?? 0 }
}

/** The result of verifying the whole chain. */
export interface Verdict {
  entries: number
  /** Hash of the last entry: kept elsewhere, it later proves that no entry up to it was changed. */
  head: string
  /** Position of the first entry that does not follow from the one before; null when all do. */
  broken_at: number | null
}

/** Recomputes every hash of the log from its entries and compares the last one with the head, which is stored apart. */
export async function verifyAuditLog(platform: Platform): Promise<Verdict> {
  const [row]: { entries: number; head: string; last: string | null; broken: number | null; kept: number }[] = await platform.em().execute(`
    with chain as (
      select entry.position, hash, row_number() over (order by entry.position) as place,
        audit_hash(lag(hash, 1, sha256('augury audit log')) over (order by entry.position), entry) as expected
      from audit_log entry where entry.position is not null
    )
    select (select count(*)::int from chain) as entries, encode(head.hash, 'hex') as head, head.position as kept,
      (select encode(hash, 'hex') from chain order by position desc limit 1) as last,
      (select min(position) from chain where hash <> expected or position <> place) as broken
    from audit_head head`)
  const { entries, head, last, broken, kept } = row!
  const cutOff = kept !== entries || (last !== null && last !== head)
  return { entries, head, broken_at: broken ?? (cutOff ? Math.min(entries, kept) + 1 : null) }
}
