import { z } from 'zod'
import { operation } from '../operation.ts'
import { actor, byId, done, success, time } from './admin-envelope.ts'
import { themeTokens } from './theme.ts'

/** Two colours with too little contrast, and the nearest colour of the same hue as `colour` that has enough contrast with all others. */
const contrastFault = z.object({
  scheme: z.enum(['light', 'dark']),
  colour: z.string(),
  on: z.string(),
  ratio: z.number(),
  needed: z.number(),
  /** `#rrggbb`; null if no colour of this hue passes. */
  nearest: z.string().nullable(),
})

const theme = z.object({
  id: z.uuid(),
  name: z.string(),
  /** A draft has none; a published theme never changes. */
  version: z.int().nullable(),
  active: z.boolean(),
  tokens: themeTokens,
  updated_at: time,
  actor: actor.nullable(),
})

const draft = z.strictObject({ name: z.string().trim().min(1).max(60), tokens: themeTokens })
const onTheme = { auth: 'admin', params: byId } as const

/** Themes of the site. */
export const adminThemeOperations = {
  adminGetTheme: operation({
    method: 'GET',
    path: '/admin/api/settings/theme',
    auth: 'admin',
    summary: 'The current theme; version 0 is the default.',
    output: done(z.object({ version: z.int(), name: z.string(), tokens: themeTokens })),
    refusals: [],
    repeatable: true,
  }),
  adminPutTheme: operation({
    method: 'PUT',
    path: '/admin/api/settings/theme',
    auth: 'admin',
    summary: 'Publishes a theme at once, if its contrast is sufficient.',
    body: draft,
    output: done(theme),
    refusals: ['contrast_too_low'],
    repeatable: true,
  }),
  adminListThemes: operation({
    method: 'GET',
    path: '/admin/api/themes',
    auth: 'admin',
    summary: 'Drafts and versions, the newest first, and the themes to begin with.',
    output: done(z.object({ themes: z.array(theme), presets: z.record(z.string(), themeTokens) })),
    refusals: [],
    repeatable: true,
  }),
  adminCheckTheme: operation({
    method: 'POST',
    path: '/admin/api/themes/check',
    auth: 'admin',
    summary: 'What of a theme could not be read, and the nearest colours that can.',
    body: z.strictObject({ tokens: themeTokens }),
    output: done(z.object({ faults: z.array(contrastFault), css: z.string() })),
    refusals: [],
    repeatable: true,
  }),
  adminAddTheme: operation({
    method: 'POST',
    path: '/admin/api/themes',
    auth: 'admin',
    summary: 'Starts a draft; it may still be unreadable.',
    body: draft.extend({
      /** The draft’s id, which makes the request idempotent. */
      ref: z.uuid().optional(),
    }),
    output: done(theme),
    refusals: [],
    repeatable: false,
  }),
  adminSaveTheme: operation({
    ...onTheme,
    method: 'PUT',
    path: '/admin/api/themes/{id}',
    summary: 'Saves a draft.',
    body: draft.extend({
      /** The draft as the caller saw it: if it has changed since, nothing is changed. */
      seen: draft.optional(),
    }),
    output: done(theme),
    refusals: ['theme_not_found', 'changed_meanwhile'],
    repeatable: true,
  }),
  adminPublishTheme: operation({
    ...onTheme,
    method: 'POST',
    path: '/admin/api/themes/{id}/publish',
    summary: 'Publishes a draft or an earlier version. Refused while contrast is insufficient.',
    output: done(theme),
    refusals: ['theme_not_found', 'contrast_too_low'],
    repeatable: true,
  }),
  adminDeleteTheme: operation({
    ...onTheme,
    method: 'DELETE',
    path: '/admin/api/themes/{id}',
    summary: 'Deletes a draft. Versions stay.',
    output: success,
    refusals: ['theme_not_found'],
    repeatable: true,
  }),
} as const

export type ContrastFault = z.output<typeof contrastFault>
