import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { adminCreationOperations } from '@augury/wire/platform/admin-creation'
import type { DraftContent } from '@augury/wire/platform/draft'
import type { Locale } from '@augury/wire/platform/settings'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { runAsAdmin } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { tagOf } from '../events/tag-slugs.ts'
import { plain } from '../outbound/plain-text.ts'
import type { Site } from '../site/site.ts'
import { originalOf } from '../translations/manage-translations.ts'
import { keepTranslation, type Subject } from '../translations/translations.ts'
import { askModel } from './ask-model.ts'
import { checkDraft, checkTexts, isReady } from './check-draft.ts'

type Answer = Output<typeof adminCreationOperations.adminCreateEventAi>

/** Number of events whose rules the model gets as examples. */
const SAMPLES = 3

const RULES = `You write the rules by which a prediction market is decided. From the draft, and in the manner of the samples, write rules that two strangers would apply alike: what exactly has to happen, by when (with time zone UTC), which source decides, and what happens if the source is silent. Answer {"rules": string, "resolution_source": string, "resolution_source_url": string, "title": string, "reasons": {"rules": string, "resolution_source": string, "resolution_source_url": string, "title": string}}. Leave a field empty where the draft is good as it is.`

const CHECK = `You look over the draft of a prediction market before it is published. Report what would make people decide differently, what is missing, and language that should not be public. Answer {"language_ok": boolean, "errors": [{"code": string, "reason": string, "step": "idea" | "structure" | "rules"}]}; an empty list when there is nothing.`

const TRANSLATE = `Translate the text into each of the languages, as a native speaker would title a news item. Keep names, numbers and dates. Answer {"translations": {language: text}}.`

const text = (most: number) =>
  z
    .string()
    .max(20_000)
    .transform((value) => plain(value, most))

const proposed = z.object({
  rules: text(20_000).default(''),
  resolution_source: text(500).default(''),
  resolution_source_url: text(2048).default(''),
  title: text(400).default(''),
  reasons: z.record(z.string(), text(500)).default({}),
})

const looked = z.object({
  language_ok: z.boolean().default(true),
  errors: z
    .array(z.object({ code: text(60), reason: text(500), step: z.enum(['idea', 'structure', 'rules', 'review']).catch('review') }))
    .max(20)
    .default([]),
})

/** The model's suggestions or findings for a draft. Nothing is stored: an admin decides. */
export async function assist(
  site: Site,
  admin: Admin,
  { body: { mode, data } }: { body: { mode: 'generate_rules' | 'check_content'; data: DraftContent } },
): Promise<Answer> {
  return mode === 'generate_rules' ? draftRules(site, admin, data) : lookOver(site, admin, data)
}

async function draftRules(site: Site, admin: Admin, draft: DraftContent): Promise<Answer> {
  const samples = await samplesFor(site.em(), draft)
  const answer = await askModel(
    site,
    admin,
    { purpose: 'rules', instructions: RULES, material: { draft: shown(draft), samples } },
    proposed,
  )
  const suggestions = (['rules', 'resolution_source', 'resolution_source_url', 'title'] as const)
    .map((field) => ({ field, text: answer[field], reason: answer.reasons[field] ?? '' }))
    .filter(({ field, text }) => text !== '' && text !== draft[field] && (field !== 'resolution_source_url' || isWebAddress(text)))
  return { rules: answer.rules, samplesUsed: samples.length, suggestions }
}

async function lookOver(site: Site, admin: Admin, draft: DraftContent): Promise<Answer> {
  const own = await checkDraft(site.em(), draft, site.now())
  const answer = await askModel(site, admin, { purpose: 'check', instructions: CHECK, material: { draft: shown(draft) } }, looked)
  const faults = own.filter(({ state }) => state === 'error').map(({ code, text: reason, step }) => ({ code, reason, step }))
  const errors = [...faults, ...answer.errors]
  const checks = { mandatory: isReady(checkTexts(draft, site.now())), language: answer.language_ok, deterministic: isReady(own) }
  return { ok: errors.length === 0 && checks.language, checks, errors }
}

/** The fields of a draft that the model gets. */
const shown = ({ icon_url: _, fee_bps: __, ...draft }: DraftContent) => draft

/** Rules of events of the same main category, the busiest first. */
async function samplesFor(em: EntityManager, { tags, slug }: DraftContent): Promise<{ title: string; rules: string }[]> {
  return tables(em)
    .selectFrom('event')
    .select(['title', sql<string>`left(rules, 1500)`.as('rules')])
    .where((eb) => eb(eb.fn<number>('length', ['rules']), '>=', 200))
    .where('slug', '<>', slug)
    .where('main_tag_id', '=', tagOf(tags[0] ?? ''))
    .orderBy('volume', 'desc')
    .orderBy('id')
    .limit(SAMPLES)
    .execute()
}

function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

/** Has the model translate a subject. Translations written by a person are kept. */
export async function suggestTranslation(
  site: Site,
  admin: Admin,
  { params, body: { locales } }: { params: Subject; body: { locales: Locale[] } },
): Promise<Output<typeof adminCreationOperations.adminSuggestTranslation>> {
  const original = await originalOf(site.em(), params)
  const shape = z.object({ translations: z.record(z.string(), text(400)) })
  const material = { text: original, languages: locales }
  const { translations } = await askModel(site, admin, { purpose: 'translation', instructions: TRANSLATE, material }, shape)
  return runAsAdmin(site, admin, async (em, now) => {
    const data: Partial<Record<Locale, { text: string; kept: boolean }>> = {}
    for (const locale of locales) {
      const said = translations[locale]
      if (said) data[locale] = { text: said, kept: await keepTranslation(em, params, { locale, text: said, byPerson: false }, now) }
    }
    return {
      answer: { success: true, data: { translations: data } },
      record: { action: 'translation_changed', target: params.id, after: data },
    }
  })
}
