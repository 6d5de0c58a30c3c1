import { lockName } from '@augury/domain/platform/tables'
import { defaultSettings, type SettingsGroup, type SettingsOf } from '@augury/wire/platform/settings'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../site/platform.ts'

/** A group of settings as currently in force. */
export interface Standing<G extends SettingsGroup> {
  /** Number of the version; 0 before the first change. */
  version: number
  changedAt: Date | null
  values: SettingsOf<G>
}

interface Row {
  group_name: SettingsGroup
  number: number
  values: Record<string, unknown>
  created_at: string
}

const LATEST = `
  select named.name as group_name, latest.number, latest.values, latest.created_at
  from jsonb_array_elements_text(?::jsonb) named(name)
  cross join lateral (
    select number, values, created_at from settings_version where group_name = named.name order by number desc limit 1
  ) latest`

/**
 * Groups of the site's settings as currently in force. Read from the database every time. Values that a version lacks are defaults.
 */
export async function readSettings<G extends SettingsGroup>(
  em: EntityManager,
  groups: readonly G[],
): Promise<{ [Each in G]: Standing<Each> }> {
  const rows: Row[] = await em.execute(LATEST, [JSON.stringify(groups)])
  const standing = groups.map((group) => {
    const row = rows.find(({ group_name }) => group_name === group)
    const values = { ...defaultSettings[group], ...row?.values }
    return [group, { version: row?.number ?? 0, changedAt: row ? new Date(row.created_at) : null, values }]
  })
  return Object.fromEntries(standing)
}

/** Reads a group and locks it until the end of the transaction. */
export async function lockSettings<G extends SettingsGroup>(em: EntityManager, group: G): Promise<{ [Each in G]: Standing<Each> }> {
  await lockName(em, 'augury settings', group)
  return readSettings(em, [group])
}

/** The values of one group. */
export async function settingsOf<G extends SettingsGroup>(platform: Platform, group: G): Promise<SettingsOf<G>> {
  const read = await readSettings(platform.em(), [group])
  return read[group].values
}
