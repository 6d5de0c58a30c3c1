import { anyOf, tables } from '@augury/domain/platform/tables'
import { parse } from '@augury/wire/parse'
import { defaultSettings, type SettingsGroup, type SettingsOf, settingsGroups } from '@augury/wire/platform/settings'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { askExchange } from '../authorization/ask-exchange.ts'
import { type AdminContext, type AdminResult, difference, runSensitive } from '../authorization/run-as-admin.ts'
import { askedByAnother, hasTwoAdmins } from '../authorization/second-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'
import { sanitizeSvg } from '../uploads/sanitize-svg.ts'
import { nameFeeRecipient } from './fee-recipient.ts'
import { type Masked, maskedSecret, type SecretName, setSecret } from './secrets.ts'
import { markShown, shownCreators } from './shown-creators.ts'
import { lockSettings, readSettings, type Standing } from './site-settings.ts'

/** Secrets that belong to a group. */
const SECRETS: Partial<Record<SettingsGroup, readonly string[]>> = { ai: ['apiKey'], swap: ['apiKey'] }

interface Shown<G extends SettingsGroup> {
  success: true
  data: { version: number; changed_at: string | null; values: SettingsOf<G>; secrets: Record<string, Masked>; logoImageUrl?: string }
}

/** The current values of a group, with secrets masked. */
export const showSettings = <G extends SettingsGroup>(site: Site, group: G): Promise<Shown<G>> => shown(site, site.em(), group)

async function shown<G extends SettingsGroup>(site: Site, em: EntityManager, group: G): Promise<Shown<G>> {
  const { version, changedAt, values } = (await readSettings(em, [group]))[group]
  const secrets: Record<string, Masked> = {}
  for (const name of SECRETS[group] ?? []) secrets[name] = await maskedSecret(em, site.vault, `${group}.${name}` as SecretName)
  const logo = 'logoImagePath' in values ? { logoImageUrl: addressOf(values.logoImagePath, site) } : {}
  return { success: true, data: { version, changed_at: changedAt?.toISOString() ?? null, values, secrets, ...logo } }
}

/** The public URL of a stored picture; empty for none. */
const addressOf = (path: string, { settings }: Site): string => (path === '' ? '' : (URL.parse(path, settings.origin)?.href ?? ''))

/** Fields of a change besides the values of the group. */
interface Extras {
  version?: number | undefined
  apiKey?: string | null | undefined
}

/**
 * Changes the given values of a group, from the next request on, in every process. The same again, because its answer was lost, changes
 * nothing. Throws `step_up_required`, `changed_meanwhile` when the caller saw another version, `service_unavailable` when the exchange has to
 * know and does not answer, and `own_admin` for a change that needs two admins, until another one has asked for it.
 */
export async function saveSettings<G extends SettingsGroup>(
  site: Site,
  admin: Admin,
  group: G,
  { version, apiKey, ...given }: Partial<SettingsOf<G>> & Extras,
): Promise<Shown<G>> {
  const saved = await runSensitive(site, admin, async (em, now) => {
    const context = { site, em, admin, now }
    const current = (await lockSettings(em, group))[group]
    const changes = cleaned(given as Partial<SettingsOf<G>>)
    const changed = difference<SettingsOf<G>>(current.values, changes)
    if (changed && version !== undefined && version !== current.version) throw new ServiceError('changed_meanwhile')
    const values = { ...current.values, ...changes }
    if (await waitsForAnother(context, group, current, values))
      return { answer: null, record: { action: 'settings_asked', target: group, ...changed } } // committed, so that the second admin's request finds it
    if (changed) await addVersion(context, group, current, values)
    const secret = apiKey !== undefined && (await setSecret(em, site.vault, `${group}.apiKey` as SecretName, apiKey, now))
    return {
      answer: await shown(site, em, group),
      record: changed || secret ? { action: 'settings_changed', target: group, ...changed, ...(secret ? { secret: 'apiKey' } : {}) } : null,
    }
  })
  if (saved === null) throw new ServiceError('own_admin')
  return saved
}

/** Whether a change needs a second admin who has not asked for it yet: the one that would let a single admin decide results. */
async function waitsForAnother(
  context: AdminContext,
  group: SettingsGroup,
  { values, changedAt }: Standing<SettingsGroup>,
  next: object,
): Promise<boolean> {
  if (group !== 'resolution') return false
  const [before, after] = [values, next].map((each) => (each as SettingsOf<'resolution'>).secondAdmin)
  return before === true && after === false && !(await askedByAnother(context, group, changedAt))
}

/** The current version. */
interface Restored {
  success: true
  data: { version: number }
}

/**
 * Restores a group to an earlier version; 0 are the defaults. Secrets stay. Throws `entry_not_found`, and `changed_meanwhile` when the caller
 * saw another current version.
 */
export function restoreSettings(
  site: Site,
  admin: Admin,
  {
    params: { group },
    body: { version, seen },
  }: { params: { group: SettingsGroup }; body: { version: number; seen?: number | undefined } },
): Promise<Restored> {
  return runSensitive(site, admin, async (em, now) => {
    const current = (await lockSettings(em, group))[group]
    const row =
      version === 0
        ? { values: {} }
        : await tables(em)
            .selectFrom('settings_version')
            .select('values')
            .where('group_name', '=', group)
            .where('number', '=', version)
            .executeTakeFirst()
    if (!row) throw new ServiceError('entry_not_found')
    return replaceSettings({ site, em, admin, now }, group, current, { ...defaultSettings[group], ...row.values }, seen)
  })
}

/** All versions of a group, with their authors. */
export async function settingsHistory(site: Site, { params: { group } }: { params: { group: SettingsGroup } }) {
  const rows = await tables(site.em())
    .selectFrom('settings_version')
    .leftJoin('users', 'users.id', 'settings_version.actor_id')
    .select(['number', 'values', 'settings_version.created_at', 'users.id', 'users.address', 'users.username'])
    .where('group_name', '=', group)
    .orderBy('number', 'desc')
    .limit(200)
    .execute()

  const data = rows.map(({ number, values, created_at, id, address, username }) => ({
    version: number,
    at: new Date(created_at).toISOString(),
    actor: id === null ? null : { id, address: getAddress(address!), username },
    values,
  }))
  return { data, totalCount: rows[0]?.number ?? 0 }
}

/** Undoes a change of a group. Throws `changed_meanwhile` unless its fields still have the values that it set. */
export async function undoSettings(
  context: AdminContext,
  group: SettingsGroup,
  { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
): Promise<AdminResult<Restored>> {
  const current = (await lockSettings(context.em, group))[group]
  if (difference(current.values as Record<string, unknown>, after)) throw new ServiceError('changed_meanwhile')
  return replaceSettings(context, group, current, { ...current.values, ...before })
}

async function replaceSettings(
  context: AdminContext,
  group: SettingsGroup,
  current: Standing<SettingsGroup>,
  values: Record<string, unknown>,
  seen = current.version,
): Promise<AdminResult<Restored>> {
  const parsed = parse(settingsGroups[group], values)
  const changed = difference<Record<string, unknown>>(current.values as Record<string, unknown>, parsed)
  if (!changed) return { answer: { success: true, data: { version: current.version } }, record: null }
  if (seen !== current.version) throw new ServiceError('changed_meanwhile')
  if (await waitsForAnother(context, group, current, parsed)) throw new ServiceError('own_admin')
  await addVersion(context, group, current, parsed)
  return {
    answer: { success: true, data: { version: current.version + 1 } },
    record: { action: 'settings_changed', target: group, ...changed },
  }
}

/** Checks across several fields. */
async function requireSense({ em, site }: AdminContext, group: SettingsGroup, values: object): Promise<void> {
  if (group === 'locales') {
    const { enabledLocales, defaultLocale } = values as SettingsOf<'locales'>
    if (!enabledLocales.includes(defaultLocale)) throw new ServiceError('locale_unknown')
  } else if (group === 'home') {
    const { pinned } = values as SettingsOf<'home'>
    const known = await tables(em).selectFrom('event').select('id').where('slug', '=', anyOf(pinned)).execute()
    if (known.length < pinned.length) throw new ServiceError('event_not_found')
  } else if (group === 'resolution') {
    // Otherwise no admin could decide anything, or undo this.
    const { secondAdmin } = values as SettingsOf<'resolution'>
    if (secondAdmin && !(await hasTwoAdmins(em, site.settings.adminWallets))) throw new ServiceError('second_admin_missing')
  }
}

/** Adds a version and applies its consequences. */
async function addVersion(context: AdminContext, group: SettingsGroup, current: Standing<SettingsGroup>, values: object): Promise<void> {
  const { site, em, admin, now } = context
  await requireSense(context, group, values)
  await tables(em)
    .insertInto('settings_version')
    .values({ group_name: group, number: current.version + 1, values: JSON.stringify(values), actor_id: admin.id, created_at: now })
    .execute()
  if (group !== 'general') return
  await markShown(em, await shownCreators(em, site.exchange.operatorAddress))
  const { feeRecipientWallet } = values as SettingsOf<'general'>
  if (feeRecipientWallet === (current.values as SettingsOf<'general'>).feeRecipientWallet) return
  const { exchange } = await askExchange(site.exchange.operator())
  await askExchange(nameFeeRecipient(exchange, feeRecipientWallet))
}

/** SVG drawings are stored sanitised. */
function cleaned<Values extends object>(given: Values): Values {
  return 'logoSvg' in given && typeof given.logoSvg === 'string' && given.logoSvg !== ''
    ? { ...given, logoSvg: sanitizeSvg(given.logoSvg) }
    : given
}
