import type { adminOperations } from '../../platform/admin-operations.ts'
import { themePresets } from '../../platform/theme.ts'
import type { ExamplesOf } from '../example.ts'
import { alice, condition, operator } from './subjects.ts'

const id = '0195f3a1-7c3e-7b5a-9d1e-2f4b6c8d0e12'
const category = '0195f3a1-7c3e-7b5a-9d1e-2f4b6c8d0e34'
const at = '2026-01-01T09:00:00.000Z'
const admin = { id, address: alice, username: 'ada' }
const done = { success: true }

const draft = {
  title: 'Will it rain in Lisbon on 1 January?',
  slug: 'rain-in-lisbon-on-1-january',
  end_date: '2026-01-02T00:00:00Z',
  question: 'Will it rain in Lisbon on 1 January?',
  tags: ['weather'],
}
const rules = 'Resolves to Yes if the station at the airport of Lisbon reports at least 0.1 mm of rain on 1 January 2026, UTC.'

const theme = { name: 'Dusk', tokens: themePresets.midnight }

/** Requests of admins, with their responses. */
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
          id,
          position: 41,
          at,
          action: 'settings_changed',
          actor: admin,
          subject: null,
          client_address: '192.0.2.7',
          about: null,
          can_undo: true,
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
        version: 2,
        changed_at: at,
        values: {
          model: '',
          systemPrompt: '',
          maxTokens: 800,
          marketContextEnabled: false,
          dailyBudget: 5,
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
  adminPauseEvent: { params: { id }, body: {}, output: done },
  adminRescheduleEvent: {
    params: { id },
    body: { end_time: '2026-03-01T12:00:00.000Z', reason: 'The match was postponed by a month: https://league.example/news/42' },
    output: done,
  },
  adminResolveEvent: {
    params: { id },
    body: {
      step: 'propose',
      answers: [{ condition_id: condition, yes_pays: 1 }],
      dispute_seconds: 7200,
      evidence: 'The station reported 4.2 mm: https://weather.example/lisbon/2026-01-01',
    },
    output: done,
  },
  adminUpdateUser: { params: { id }, body: { banned: true, note: 'Traded against itself on two accounts.' } },
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
  adminClaim: { body: { token: '5cQvD2rJm8XwY1tNf6bZ0LhKs4Ga9EuPiV7oTyRx_C-' } },
  adminRemoveAdmin: { params: { address: operator }, output: done },
  adminUndo: { params: { id } },
  adminPutSwapSettings: { body: { integrator: 'delphi', version: 1 } },
  adminPutAffiliateSettings: { body: { tradeFeeBps: 200, affiliateShareBps: 1000 } },
  adminPutResolutionSettings: { body: { secondAdmin: true } },
  adminPutHomeSettings: { body: { pinned: [draft.slug] } },
  adminPutAnnouncementSettings: { body: { texts: { en: 'Trading pauses at noon.' }, tone: 'warning', until: '2026-11-20T12:30:00.000Z' } },
  adminPutLocaleSettings: { body: { enabledLocales: ['en', 'es'], defaultLocale: 'es' } },
  adminSettingsHistory: { params: { group: 'general' } },
  adminRestoreSettings: { params: { group: 'general' }, body: { version: 2 }, output: { ...done, data: { version: 4 } } },
  adminUpload: { params: { use: 'logo' }, body: { data: 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=' } },
  adminPutTheme: { body: theme },
  adminCheckTheme: { body: { tokens: theme.tokens } },
  adminAddTheme: { body: theme },
  adminSaveTheme: { params: { id }, body: theme },
  adminPublishTheme: { params: { id } },
  adminDeleteTheme: { params: { id } },
  adminAddCategory: { body: { name: 'Weather', slug: 'weather', is_main_category: true } },
  adminUpdateCategory: { params: { id: category }, body: { name: 'Weather and climate' } },
  adminMergeCategory: { params: { id: category }, body: { into: id } },
  adminOrderCategories: { body: { ids: [category] }, output: done },
  adminTranslations: { params: { kind: 'tag', id: category } },
  adminTranslate: { params: { kind: 'tag', id: category }, body: { translations: { es: 'Tiempo' } } },
  adminSuggestTranslation: { params: { kind: 'tag', id: category }, body: { locales: ['es'] } },
  adminEvent: { params: { id } },
  adminResumeEvent: { params: { id }, body: {}, output: done },
  adminRemoveComment: { params: { id }, output: done },
  adminKeepComment: { params: { id }, output: done },
  adminUserSessions: { params: { id } },
  adminWithdrawals: {
    output: {
      data: [
        {
          ...{ id, amount: '25000000', destination: operator, status: 'sent', held_until: null, created_at: at, updated_at: at },
          ...{ awaits_admins: false, approvals: 0 },
          ...{ chain_id: null, tx_hash: null, block: null },
          user: admin,
        },
      ],
      totalCount: 1,
    },
  },
  adminEndWithdrawal: { params: { id }, body: { outcome: 'settled' } },
  adminApproveWithdrawal: { params: { id } },
  adminEndUserSessions: { params: { id } },
  adminResetSecondFactor: { params: { id } },
  adminAllowCreator: { body: { address: operator } },
  adminDisallowCreator: { body: { address: operator } },
  adminAddDraft: { body: { content: draft } },
  adminDraft: { params: { id } },
  adminSaveDraft: { params: { id }, body: { content: { ...draft, rules }, revision: 3 } },
  adminDeleteDraft: { params: { id }, output: done },
  adminCheckDraft: { params: { id } },
  adminCreateEvent: { body: { ...draft, rules } },
  adminPutSeries: {
    params: { slug: 'rain-in-lisbon' },
    body: {
      content: { ...draft, title: 'Will it rain in Lisbon on {date}?', question: 'Will it rain in Lisbon on {date}?', rules },
      recurrence: 'daily',
      next_end: '2026-01-02T00:00:00Z',
    },
  },
  adminTurnSeries: { params: { slug: 'rain-in-lisbon' }, body: { enabled: false } },
  adminWriteMarketContext: { params: { id: condition } },
  adminRetryDeadLetter: { body: { job: 'settlement', item: condition }, output: done },
  adminRunSync: { params: { job: 'prices' } },
  adminPriceSeriesState: { params: { slug: 'btc-usd-5m' } },
  adminPutPriceSeries: {
    params: { slug: 'btc-usd-5m' },
    body: {
      instrument: 'BTC/USD',
      display_name: 'Bitcoin',
      source: 'oracle_a',
      symbol_a: 'BTCUSDT',
      symbol_b: '',
      enabled: true,
      recurring: true,
      category: 'crypto',
      ahead: 2,
      settlement_seconds: 60,
      dispute_seconds: 300,
    },
  },
}
