import type { adminOperations } from '../../platform/admin-operations.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition, operator } from './subjects.ts'

const id = '0195f3a1-7c3e-7b5a-9d1e-2f4b6c8d0e12'
const category = '0195f3a1-7c3e-7b5a-9d1e-2f4b6c8d0e34'
const at = '2026-01-01T09:00:00.000Z'
const admin = { id, address: alice, username: 'ada' }
const done = { success: true }

const draft = {
  ...{ title: 'Will it rain in Lisbon on 1 January?', slug: 'rain-in-lisbon-on-1-january', end_date: '2026-01-02T00:00:00Z' },
  ...{ question: 'Will it rain in Lisbon on 1 January?', tags: ['weather'] },
}
const rules = 'Resolves to Yes if the station at the airport of Lisbon reports at least 0.1 mm of rain on 1 January 2026, UTC.'

/** Calls of admins, and their answers. */
export const adminExamples: ExamplesOf<typeof adminOperations> = {
  adminListAdmins: {
    output: { data: [{ address: alice, username: 'ada', source: 'list', added_by: null, created_at: at }], totalCount: 1 },
  },
  adminAddAdmin: { body: { address: operator }, output: done },
  adminAuditLog: {
    query: { action: 'settings_changed', limit: 1 },
    output: {
      data: [
        {
          ...{ id, position: 41, at, action: 'settings_changed', actor: admin, subject: null, client_address: '192.0.2.7', can_undo: true },
          details: { target: 'general', before: { siteName: 'Augury' }, after: { siteName: 'Delphi' }, request: id },
        },
      ],
      totalCount: 12,
      actions: ['settings_changed', 'theme_published'],
    },
  },
  adminVerifyAuditLog: { output: { ...done, data: { entries: 41, head: '5c'.repeat(32), broken_at: null } } },
  adminPutGeneralSettings: { body: { siteName: 'Delphi', discordLink: 'https://discord.gg/delphi', version: 3 } },
  adminPutAiSettings: {
    body: { apiKey: 'sk-or-v1-0123456789abcdef', maxTokens: 800 },
    output: {
      ...done,
      data: {
        ...{ version: 2, changed_at: at },
        values: {
          ...{ model: '', systemPrompt: '', maxTokens: 800, marketContextEnabled: false, dailyBudget: 5 },
          marketContextPrompt: 'Explain [market-title] to readers in 120 words.',
        },
        secrets: { apiKey: { set: true, masked: '••••cdef', changed_at: at } },
      },
    },
  },
  adminMainTags: {
    output: {
      mainCategories: [{ id: category, name: 'Weather', slug: 'weather', childs: [{ name: 'Rain', slug: 'rain' }] }],
      globalCategories: [{ name: 'Live', slug: 'live' }],
    },
  },
  adminCheckSlug: { body: { slug: 'rain-in-lisbon-on-1-january' }, output: { exists: false } },
  adminUpdateEvent: { params: { id }, body: { hidden: true } },
  adminPauseEvent: { params: { id }, output: done },
  adminResolveEvent: {
    params: { id },
    body: {
      ...{ step: 'propose', answers: [{ condition_id: condition, yes_pays: 1 }], dispute_seconds: 7200 },
      evidence: 'The station reported 4.2 mm: https://weather.example/lisbon/2026-01-01',
    },
    output: done,
  },
  adminUpdateUser: { params: { id }, body: { banned: true } },
  adminAllowedCreators: {
    query: { address: operator },
    output: { items: [{ address: operator, own: true, events: 12 }], wallets: [operator], allowed: true },
  },
  adminCreateEventAi: {
    body: { mode: 'generate_rules', data: draft },
    output: { rules, samplesUsed: 3, suggestions: [{ field: 'rules', text: rules, reason: 'Names the station and the amount.' }] },
  },
  adminOpenrouterModels: {
    body: { apiKey: 'sk-or-v1-0123456789abcdef' },
    output: { models: [{ id: 'some/model', label: 'Some model', contextWindow: 128_000 }] },
  },
  adminPublishDraft: {
    params: { id },
    output: { ...done, data: { state: 'published', draft_id: id, event_id: id, slug: draft.slug, registered: 1, total: 1 } },
  },
  adminSetVenueMode: { body: { mode: 'cancel_only' } },
}
