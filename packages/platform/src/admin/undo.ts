import { tables } from '@augury/domain/platform/tables'
import type { SettingsGroup } from '@augury/wire/platform/settings'
import { ServiceError } from '@augury/wire/service-error'
import { type AdminContext, type AdminResult, runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { undoSettings } from '../settings/manage-settings.ts'
import type { Site } from '../site/site.ts'
import { undoTheme } from '../themes/manage-themes.ts'
import { undoCategory } from './categories.ts'
import { undoEvent } from './change-event.ts'

/** The details of an entry that can be undone. */
interface Change {
  target: string
  before: Record<string, unknown>
  after: Record<string, unknown>
}

type Undoer = (context: AdminContext, change: Change) => Promise<AdminResult<unknown>>

/** How a change is undone, by its action. */
const undoers: Readonly<Record<string, Undoer>> = {
  settings_changed: (context, { target, before, after }) => undoSettings(context, target as SettingsGroup, { before, after }),
  category_changed: ({ em, now }, change) => undoCategory(em, change, now),
  event_changed: ({ site, em, now }, change) => undoEvent(site, em, change, now),
  theme_published: ({ em, now }, change) =>
    undoTheme(em, change as { before: { active: string }; after: { active: string } } & Change, now),
}

/** Whether an entry has enough details to undo it. */
export const canUndo = (action: string, details: Record<string, unknown>): boolean =>
  Object.hasOwn(undoers, action) && isObject(details.before) && isObject(details.after)

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Undoes the change of an audit entry. Throws `entry_not_found`, `cannot_undo` and `changed_meanwhile`. */
export function undo(site: Site, admin: Admin, { params }: { params: { id: string } }): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em, now) => {
    const entry = await tables(em).selectFrom('audit_log').select(['action', 'details']).where('id', '=', params.id).executeTakeFirst()
    if (!entry) throw new ServiceError('entry_not_found')
    if (!canUndo(entry.action, entry.details)) throw new ServiceError('cannot_undo')
    const { record } = await undoers[entry.action]!({ site, em, admin, now }, entry.details as unknown as Change)
    return { answer: { success: true }, record }
  })
}
