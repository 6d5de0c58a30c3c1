import { lockName, tables } from '@augury/domain/platform/tables'
import { type ThemeColour, type ThemeTokens, themePresets } from '@augury/wire/platform/theme'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { difference, runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { readColour, toHex } from './colour.ts'
import { contrastFaults } from './contrast-gate.ts'
import { activeTheme, themeCss } from './site-theme.ts'

/** How many versions and drafts are listed. */
const LISTED = 100

/** The id of the theme in effect. */
const activeId = (em: EntityManager) =>
  tables(em).selectFrom('theme').select('id').where('activated_at', 'is not', null).orderBy('activated_at', 'desc').limit(1)

const stored = (em: EntityManager) =>
  tables(em)
    .selectFrom('theme')
    .leftJoin('users', 'users.id', 'theme.actor_id')
    .select(['theme.id', 'name', 'version', 'tokens', 'theme.updated_at', 'actor_id', 'address', 'username'])
    .select((eb) => eb('theme.id', '=', activeId(em)).as('active'))

type Row = Awaited<ReturnType<ReturnType<typeof stored>['executeTakeFirstOrThrow']>>

const view = ({ actor_id, address, username, updated_at, active, tokens, ...row }: Row) => ({
  ...row,
  tokens: tokens as unknown as ThemeTokens,
  active: active === true,
  updated_at: updated_at.toISOString(),
  actor: actor_id === null ? null : { id: actor_id, address: getAddress(address!), username },
})

async function one(em: EntityManager, id: string) {
  const row = await stored(em).where('theme.id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('theme_not_found')
  return view(row)
}

/** The theme in effect now. */
export async function showTheme(site: Site) {
  const { version, name, tokens } = await activeTheme(site)
  return { success: true as const, data: { version, name, tokens } }
}

/** Drafts and versions, most recently changed first. */
export async function listThemes(site: Site) {
  const rows = await stored(site.em()).orderBy('theme.updated_at', 'desc').orderBy('theme.id', 'desc').limit(LISTED).execute()
  return { success: true as const, data: { themes: rows.map(view), presets: themePresets } }
}

/** The contrast faults of a theme, and the theme as the site would apply it. */
export async function checkTheme(_site: Site, { body: { tokens } }: { body: { tokens: ThemeTokens } }) {
  return { success: true as const, data: { faults: contrastFaults(tokens), css: themeCss(inHex(tokens)) } }
}

interface Draft {
  name: string
  tokens: ThemeTokens
}

/** Creates a draft. Asked again under the same `ref`, because the answer was lost, it is answered with the one that there is. */
export function addTheme(site: Site, admin: Admin, { body: { ref, ...draft } }: { body: Draft & { ref?: string | undefined } }) {
  return runAsAdmin(site, admin, async (em, now) => {
    const added = await insert(em, admin, draft, now, ref)
    const data = await one(em, added ?? ref!)
    return { answer: { success: true as const, data }, record: added === null ? null : { action: 'theme_drafted', target: data.id } }
  })
}

/**
 * Saves a draft; the same save again, because its answer was lost, changes nothing. Throws `changed_meanwhile` where the draft is not what
 * the caller has seen, and `theme_not_found`, also for a published version: those never change.
 */
export function saveTheme(
  site: Site,
  admin: Admin,
  { params: { id }, body: { seen, ...body } }: { params: { id: string }; body: Draft & { seen?: Draft | undefined } },
) {
  return site.em().transactional(async (em) => {
    await tables(em).selectFrom('theme').select('id').where('id', '=', id).forUpdate().execute()
    const current = await one(em, id)
    if (isSame(current, body)) return { success: true as const, data: current }
    if (current.version !== null) throw new ServiceError('theme_not_found')
    if (seen && !isSame(current, seen)) throw new ServiceError('changed_meanwhile')
    await tables(em)
      .updateTable('theme')
      .set({ name: body.name, tokens: JSON.stringify(inHex(body.tokens)), actor_id: admin.id, updated_at: site.now() })
      .where('id', '=', id)
      .execute()
    return { success: true as const, data: await one(em, id) }
  })
}

const isSame = (stored: Draft, { name, tokens }: Draft): boolean => difference<Draft>(stored, { name, tokens: inHex(tokens) }) === null

/** Publishes a draft, or an earlier version again. Throws `contrast_too_low` with every fault, and `theme_not_found`. */
export function publishTheme(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }) {
  return runAsAdmin(site, admin, async (em, now) => {
    const before = await activate(em, id, now)
    return { answer: { success: true as const, data: await one(em, id) }, record: published(id, before) }
  })
}

/** Publishes a theme that was not saved as a draft. The one that is in effect is not published again. */
export function putTheme(site: Site, admin: Admin, { body }: { body: Draft }) {
  return runAsAdmin(site, admin, async (em, now) => {
    await lockActive(em)
    const found = await stored(em).where('theme.id', '=', activeId(em)).executeTakeFirst()
    const active = found && view(found)
    if (active && isSame(active, body)) return { answer: { success: true as const, data: active }, record: null }
    const id = (await insert(em, admin, body, now))!
    const before = await activate(em, id, now)
    return { answer: { success: true as const, data: await one(em, id) }, record: published(id, before) }
  })
}

const published = (id: string, before: string | null) =>
  ({ action: 'theme_published', target: id, ...(before === null ? {} : { before: { active: before }, after: { active: id } }) }) as const

/** Reverts a publication to the theme before it. Throws `changed_meanwhile`. */
export async function undoTheme(
  em: EntityManager,
  { before, after }: { before: { active: string }; after: { active: string } },
  now: Date,
) {
  const active = await activate(em, before.active, now)
  if (active !== after.active) throw new ServiceError('changed_meanwhile')
  return { answer: { success: true as const }, record: published(before.active, active) }
}

/** Deletes a draft. */
export function deleteTheme(site: Site, admin: Admin, { params: { id } }: { params: { id: string } }) {
  return runAsAdmin(site, admin, async (em) => {
    const gone = await tables(em).deleteFrom('theme').where('id', '=', id).where('version', 'is', null).returning('id').execute()
    if (gone.length === 0) throw new ServiceError('theme_not_found')
    return { answer: { success: true as const }, record: { action: 'theme_deleted', target: id } }
  })
}

/** Stores a draft and returns its id; null if there is one under `ref`. */
async function insert(em: EntityManager, admin: Admin, { name, tokens }: Draft, now: Date, ref?: string): Promise<string | null> {
  const row = await tables(em)
    .insertInto('theme')
    .values({ ...(ref && { id: ref }), name, tokens: JSON.stringify(inHex(tokens)), actor_id: admin.id, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Serialises whatever puts a theme into effect. */
const lockActive = (em: EntityManager) => lockName(em, 'augury themes')

/** Puts a theme into effect and returns the id of the one before. */
async function activate(em: EntityManager, id: string, now: Date): Promise<string | null> {
  await lockActive(em)
  const before = await activeId(em).select('activated_at').executeTakeFirst()
  await tables(em).selectFrom('theme').select('id').where('id', '=', id).forUpdate().execute() // what is looked at is what is published, also while it is being saved
  const theme = await one(em, id)
  const faults = contrastFaults(theme.tokens)
  if (faults.length > 0) throw new ServiceError('contrast_too_low', { details: { faults } })
  if (before?.id === id) return before.id
  // A clock that stands still or goes back must not leave the previous theme in effect.
  const at = before ? new Date(Math.max(now.getTime(), before.activated_at!.getTime() + 1)) : now
  const next = sql<number>`coalesce(version, (select coalesce(max(version), 0) + 1 from theme))`
  await tables(em).updateTable('theme').set({ version: next, activated_at: at, updated_at: now }).where('id', '=', id).execute()
  return before?.id ?? null
}

/** Stored colours are hex, whatever notation they were given in. */
function inHex({ light, dark, radius }: ThemeTokens): ThemeTokens {
  const hex = (colours: ThemeTokens['light']) =>
    Object.fromEntries(Object.entries(colours).map(([name, text]) => [name, toHex(readColour(text))])) as Record<ThemeColour, string>
  return { light: hex(light), dark: hex(dark), radius }
}
