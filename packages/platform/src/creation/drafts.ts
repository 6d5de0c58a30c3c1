import type { Input, Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import { type DraftContent, draftContent } from '@augury/wire/platform/draft'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { checkDraft, isReady } from './check-draft.ts'

type Operations = typeof adminCreationOperations
type Draft = Output<Operations['adminDraft']>['data']

interface Row extends Omit<Draft, 'actor'> {
  actor_id: string | null
  address: `0x${string}`
  username: string | null
}

const SELECT = `
  select draft.id, content, revision, state, problem, event.slug as event_slug, actor_id, address, username, draft.created_at, draft.updated_at
  from event_draft draft left join event on event.id = event_id left join users on users.id = actor_id`

const view = ({ actor_id, address, username, ...row }: Row): Draft => ({
  ...row,
  content: draftContent.parse(row.content),
  actor: actor_id === null ? null : { id: actor_id, address: getAddress(address), username },
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
})

/** A draft by its id. Throws `draft_not_found`. */
export async function readDraft(em: EntityManager, id: string): Promise<Draft> {
  const [row]: Row[] = await em.execute(`${SELECT} where draft.id = ?`, [id])
  if (!row) throw new ServiceError('draft_not_found')
  return view(row)
}

/** A page of drafts, last changed first. */
export async function listDrafts(
  site: Site,
  { query: { limit, offset } }: Pick<Input<Operations['adminDrafts']>, 'query'>,
): Promise<Output<Operations['adminDrafts']>> {
  const em = site.em()
  const rows: Row[] = await em.execute(`${SELECT} order by draft.updated_at desc, draft.id limit ? offset ?`, [limit, offset])
  const [all]: { n: number }[] = await em.execute('select count(*)::int as n from event_draft')
  return { data: rows.map(view), totalCount: all!.n }
}

/** Starts a draft, unless there is one under `ref`, and returns its id. */
export async function insertDraft(em: EntityManager, admin: Admin, content: DraftContent, now: Date, ref?: string): Promise<string> {
  const [row]: { id: string }[] = await em.execute(
    `insert into event_draft (id, content, actor_id, created_at, updated_at) values (coalesce(?::uuid, uuidv7()), ?::jsonb, ?, ?, ?)
     on conflict (id) do nothing returning id`,
    [ref ?? null, JSON.stringify(content), admin.id, now, now],
  )
  return row?.id ?? ref!
}

/** Starts a draft. Asked again under the same `ref`, because the answer was lost, it is answered with the one that there is. */
export async function addDraft(
  site: Site,
  admin: Admin,
  { body: { content, ref } }: { body: { content: DraftContent; ref?: string | undefined } },
): Promise<Output<Operations['adminAddDraft']>> {
  const em = site.em()
  const id = await insertDraft(em, admin, content, site.now(), ref)
  return { success: true, data: await readDraft(em, id) }
}

/**
 * Saves a draft; the same save again, because its answer was lost, changes nothing. Throws `changed_meanwhile` when another window saved it
 * since, and `draft_published`.
 */
export async function saveDraft(
  site: Site,
  admin: Admin,
  { params: { id }, body }: { params: { id: string }; body: { content: DraftContent; revision: number } },
): Promise<Output<Operations['adminSaveDraft']>> {
  const em = site.em()
  const content = JSON.stringify(body.content)
  const saved = await em.execute(
    `update event_draft set content = ?::jsonb, revision = ?::int + 1, actor_id = ?, updated_at = ?
     where id = ? and state = 'draft' and (revision = ? or (revision - 1 = ? and content = ?::jsonb)) returning id`,
    [content, body.revision, admin.id, site.now(), id, body.revision, body.revision, content],
  )
  const draft = await readDraft(em, id)
  if (saved.length === 0) throw new ServiceError(draft.state === 'draft' ? 'changed_meanwhile' : 'draft_published')
  return { success: true, data: draft }
}

/** Deletes a draft. Throws `draft_published` once its event exists. */
export function deleteDraft(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em) => {
    const gone = await em.execute(`delete from event_draft where id = ? and state = 'draft' returning id`, [id])
    if (gone.length === 0) {
      await readDraft(em, id)
      throw new ServiceError('draft_published')
    }
    return { answer: { success: true }, record: { action: 'draft_deleted', target: id } }
  })
}

/** All checks of a stored draft. Once its event exists, none keeps it from being published. */
export async function checkStoredDraft(
  site: Site,
  { params: { id } }: { params: { id: string } },
): Promise<Output<Operations['adminCheckDraft']>> {
  const em = site.em()
  const { state, content } = await readDraft(em, id)
  if (state !== 'draft') return { success: true, data: { ready: true, checks: [] } }
  const checks = await checkDraft(em, content, site.now())
  return { success: true, data: { ready: isReady(checks), checks } }
}
