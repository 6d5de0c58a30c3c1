import { z } from 'zod'
import { operation } from '../operation.ts'
import { actor, counted, done, time } from './admin-envelope.ts'
import { managing } from './asks-exchange.ts'
import { type SettingsGroup, settingsGroups } from './settings.ts'

/** A secret, shown by the time it was set and, if long enough, its last four characters. */
const secret = z.object({ set: z.boolean(), masked: z.string(), changed_at: time.nullable() })
/** A key of another service, or an empty text. */
export const keyText = z
  .string()
  .trim()
  .max(256)
  .regex(/^[\x21-\x7e]*$/, 'expected visible characters')
/** A secret as sent: an empty text keeps the current one, null removes it. */
const newSecret = keyText.nullable()
const secretOf = { ai: { apiKey: newSecret }, swap: { apiKey: newSecret } } as const

/** Current state of a group. `version` counts its changes; 0 means the defaults. */
const standing = <G extends SettingsGroup>(group: G) =>
  done(
    z.object({
      version: z.int(),
      changed_at: time.nullable(),
      values: settingsGroups[group] as (typeof settingsGroups)[G],
      secrets: z.record(z.string(), secret),
      /** Of `general` alone: where the image of `logoImagePath` is found; empty when there is none. */
      logoImageUrl: z.string().optional(),
    }),
  )

const reads = <const G extends SettingsGroup>(group: G, summary: string) =>
  operation({
    method: 'GET',
    path: `/admin/api/settings/${group}`,
    auth: 'admin',
    summary,
    output: standing(group),
    refusals: [],
    repeatable: true,
  })

const writes = <const G extends SettingsGroup, Body extends z.ZodType>(group: G, body: Body) =>
  operation({
    method: 'PUT',
    path: `/admin/api/settings/${group}`,
    auth: 'admin',
    summary:
      'Changes the given fields, at once and everywhere. With `version`, only if the group was not changed since. A change that takes two admins is applied when a second one requests it within a day.',
    body,
    output: standing(group),
    bodyLimit: 160 * 1024,
    refusals: [
      'step_up_required',
      'changed_meanwhile',
      'image_unusable',
      'locale_unknown',
      'event_not_found',
      'wallet_taken',
      'own_admin',
      'second_admin_missing',
      ...managing,
    ],
    repeatable: true,
  })

const version = { version: z.int().min(0).optional() }
const groupName = z.object({ group: z.enum(['general', 'ai', 'swap', 'affiliate', 'resolution', 'home', 'announcement', 'locales']) })

/** Settings of the site. */
export const adminSettingsOperations = {
  adminGetGeneralSettings: reads('general', 'Name, description, logo, links, fee recipient and market creators.'),
  adminPutGeneralSettings: writes('general', settingsGroups.general.partial().extend(version)),
  adminGetAiSettings: reads('ai', 'The model that helps to write; its key is never shown.'),
  adminPutAiSettings: writes('ai', settingsGroups.ai.partial().extend({ ...version, apiKey: secretOf.ai.apiKey.optional() })),
  adminGetSwapSettings: reads('swap', 'The service that swaps and bridges deposits.'),
  adminPutSwapSettings: writes('swap', settingsGroups.swap.partial().extend({ ...version, apiKey: secretOf.swap.apiKey.optional() })),
  adminGetAffiliateSettings: reads('affiliate', 'What trading costs and what affiliates get of it.'),
  adminPutAffiliateSettings: writes('affiliate', settingsGroups.affiliate.partial().extend(version)),
  adminGetResolutionSettings: reads('resolution', 'Whether a result takes two admins.'),
  adminPutResolutionSettings: writes('resolution', settingsGroups.resolution.partial().extend(version)),
  adminGetHomeSettings: reads('home', 'Events that stand first on the front page.'),
  adminPutHomeSettings: writes('home', settingsGroups.home.partial().extend(version)),
  adminGetAnnouncementSettings: reads('announcement', 'The announcement at the top of every page.'),
  adminPutAnnouncementSettings: writes('announcement', settingsGroups.announcement.partial().extend(version)),
  adminGetLocaleSettings: reads('locales', 'Languages that the site offers.'),
  adminPutLocaleSettings: writes('locales', settingsGroups.locales.partial().extend(version)),
  adminSettingsHistory: operation({
    method: 'GET',
    path: '/admin/api/settings/{group}/history',
    auth: 'admin',
    summary: 'Every version of a group of settings, the newest first.',
    params: groupName,
    output: counted(z.object({ version: z.int(), at: time, actor: actor.nullable(), values: z.record(z.string(), z.unknown()) })),
    refusals: [],
    repeatable: true,
  }),
  adminRestoreSettings: operation({
    method: 'POST',
    path: '/admin/api/settings/{group}/restore',
    auth: 'admin',
    summary: 'Restores a group of settings to an earlier version, except secrets.',
    params: groupName,
    body: z.strictObject({
      version: z.int32().min(0),
      /** The current version that the caller saw: if there is a later one, nothing is changed. */
      seen: z.int32().min(0).optional(),
    }),
    output: done(z.object({ version: z.int() })),
    refusals: [
      'step_up_required',
      'entry_not_found',
      'own_admin',
      'second_admin_missing',
      'changed_meanwhile',
      'event_not_found',
      'wallet_taken',
      ...managing,
    ],
    repeatable: true,
  }),
} as const
