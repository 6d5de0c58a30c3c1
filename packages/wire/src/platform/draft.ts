import { z } from 'zod'
import { shownText as text } from '../text.ts'

/** One of the questions of an event with several. */
const draftOption = z.strictObject({
  question: text(1000).default(''),
  short_title: text(200).default(''),
  slug: text(200).default(''),
})

/** How often an event comes again. */
export const recurrence = z.enum(['daily', 'weekly', 'monthly'])

/**
 * An event as a form holds it, half finished as it may be. `binary`: one question; `several`: each option by itself; `exclusive`: exactly
 * one option wins. Texts may have a place for the end date, `{date}`, where the event comes again.
 */
export const draftContent = z.strictObject({
  title: text(400).default(''),
  slug: text(200).default(''),
  icon_url: z
    .string()
    .max(2048)
    .regex(/^(|\/uploads\/[0-9a-f]{64}\.(png|svg))$/, 'expected an upload')
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
  min_size: z.int().min(1).max(1_000_000).default(5),
  /** Basis points; null takes the fee of the settings. */
  fee_bps: z.int().min(0).max(1000).nullable().default(null),
  recurrence: recurrence.nullable().default(null),
})

export type DraftContent = z.output<typeof draftContent>

/** Which of the five steps of the form something is about. */
export const draftStep = z.enum(['idea', 'structure', 'rules', 'review', 'publish'])

/** Something about a draft that was looked at: an error keeps it from being published, a warning wants a second look. */
export const draftCheck = z.object({
  code: z.string(),
  step: draftStep,
  state: z.enum(['ok', 'warning', 'error']),
  text: z.string(),
})
export type DraftCheck = z.output<typeof draftCheck>
