import { tables } from '@augury/domain/platform/tables'
import type { Input, Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import { type DraftContent, draftContent } from '@augury/wire/platform/draft'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type SqlBool, sql } from 'kysely'
import { getAddress } from 'viem'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { checkDraft, isReady } from './check-draft.ts'

type Operations = typeof adminCreationOperations
type Draft = Output<Operations['adminDraft']>['data']

const drafts = (em: EntityManager) =>
  tables(em)
    .selectFrom('event_draft as draft')
    .leftJoin('event', 'event.id', 'draft.event_id')
    .leftJoin('users', 'users.id', 'draft.actor_id')
    .select(['draft.id', 'content', 'revision', 'state', 'problem', 'event.slug as event_slug', 'actor_id', 'address', 'username'])
    .select(['draft.created_at', 'draft.updated_at'])

type Row = Awaited<ReturnType<ReturnType<typeof drafts>['executeTakeFirstOrThrow']>>

const view = ({ actor_id, address, username, ...row }: Row): Draft => ({
  ...row,
  content: draftContent.parse(row.content),
  actor: actor_id === null ? null : { id: actor_id, address: getAddress(address!), username },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A draft by its id. Throws `draft_not_found`. */
export async function readDraft(em: EntityManager, id: string): Promise<Draft> {
  const row = await drafts(em).where('draft.id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('draft_not_found')
  return view(row)
}

/** A page of drafts, last changed first. */
export async function listDrafts(
  site: Site,
  { query: { limit, offset } }: Pick<Input<Operations['adminDrafts']>, 'query'>,
): Promise<Output<Operations['adminDrafts']>> {
  const em = site.em()
  const rows = await drafts(em).orderBy('draft.updated_at', 'desc').orderBy('draft.id').limit(limit).offset(offset).execute()
  const all = await tables(em).selectFrom('event_draft').select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow()
  return { data: rows.map(view), totalCount: all.n }
}

/** Starts a draft, unless there is one under `ref`, and returns its id. */
export async function insertDraft(em: EntityManager, admin: Admin, content: DraftContent, now: Date, ref?: string): Promise<string> {
  const row = await tables(em)
    .insertInto('event_draft')
    .values({ ...(ref && { id: ref }), content: JSON.stringify(content), actor_id: admin.id, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
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
  const same = sql<SqlBool>`revision - 1 = ${body.revision} and content = ${content}::jsonb`
  const saved = await tables(em)
    .updateTable('event_draft')
    .set({ content, revision: body.revision + 1, actor_id: admin.id, updated_at: site.now() })
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .where((eb) => eb.or([eb('revision', '=', body.revision), same]))
    .returning('id')
    .execute()
  const draft = await readDraft(em, id)
  if (saved.length === 0) throw new ServiceError(draft.state === 'draft' ? 'changed_meanwhile' : 'draft_published')
  return { success: true, data: draft }
}

/** Deletes a draft. Throws `draft_published` once its event exists. */
export function deleteDraft(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }): Promise<{ success: true }> {
  return runAsAdmin(site, admin, async (em) => {
    const gone = await tables(em).deleteFrom('event_draft').where('id', '=', id).where('state', '=', 'draft').returning('id').execute()
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
