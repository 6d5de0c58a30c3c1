import { z } from 'zod'
import { shownText as text } from '../text.ts'

/** One option of an event with several. */
const draftOption = z.strictObject({
  question: text(1000).default(''),
  short_title: text(200).default(''),
  slug: text(200).default(''),
})

/** How often an event recurs. */
export const recurrence = z.enum(['daily', 'weekly', 'monthly'])

/**
 * The possibly incomplete form of an event. `binary`: one question; `several`: independent options; `exclusive`: exactly one option wins.
 * Texts of a recurring event may contain `{date}`, which stands for its end date.
 */
export const draftContent = z.strictObject({
  title: text(400).default(''),
  slug: text(200).default(''),
  icon_url: z
    .string()
    .max(2048)
    .regex(/^(|\/uploads\/[0-9a-f]{64}\.(png|svg|webp))$/, 'expected an upload')
    .default(''),
  end_date: z.iso.datetime({ offset: true }).nullable().default(null),
  mode: z.enum(['binary', 'several', 'exclusive']).default('binary'),
  /** Slugs of categories, the main one first. */
  tags: z.array(text(80)).max(50).default([]),
  question: text(1000).default(''),
  outcomes: z.tuple([text(100), text(100)]).default(['Yes', 'No']),
  options: z.array(draftOption).max(200).default([]),
  rules: text(20_000).default(''),
  resolution_source: text(500).default(''),
  resolution_source_url: text(2048).default(''),
  tick_size: z.enum(['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001']).default('0.01'),
  /** Smallest order in shares. */
  min_size: z.int('expected a whole number from 1 to 1000000').min(1).max(1_000_000).default(5),
  /** Basis points; null takes the fee of the settings. */
  fee_bps: z.int('expected a whole number from 0 to 1000').min(0).max(1000).nullable().default(null),
  recurrence: recurrence.nullable().default(null),
})

export type DraftContent = z.output<typeof draftContent>

/** A step of the form. */
export const draftStep = z.enum(['idea', 'structure', 'rules', 'review', 'publish'])

/** Result of checking a draft: an error prevents publishing, a warning needs a second look. */
export const draftCheck = z.object({
  code: z.string(),
  step: draftStep,
  state: z.enum(['ok', 'warning', 'error']),
  text: z.string(),
})
export type DraftCheck = z.output<typeof draftCheck>
