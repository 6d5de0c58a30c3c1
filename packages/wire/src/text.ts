import { z } from 'zod'

/**
 * Whether every string in a value, keys included, can be stored and shown as it was sent: without NUL, which PostgreSQL refuses, and
 * without lone surrogates, which JSON can carry and UTF-8 cannot.
 */
export function isWellFormedText(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormedText)
  return Object.entries(value).every(([key, inner]) => isWellFormedText(key) && isWellFormedText(inner))
}

/** What joins or shapes letters and emoji: a flag's tags, joiners, the looks of an emoji and of an ideograph. */
const SHAPING = [
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  String.raw`(?<=[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)[\u200C\u200D](?=[\p{L}\p{M}])`,
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
].join('|')
/** What nobody sees: letters without a picture, what turns the direction of others, annotations, and ends of lines that no keyboard has. */
const HIDDEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFF9-\uFFFB]`
const UNSEEN = new RegExp(`(${SHAPING})|${HIDDEN}`, 'gu')
/** More marks on one letter than any language has: they run over the lines around. */
const STACKED = /(\p{M}{4})\p{M}+/gu

/**
 * A text as everybody reads it: composed, without letters that nobody sees or that turn others around, and with at most four marks on a
 * letter. What somebody saw who wrote it is not changed.
 */
export const visible = (text: string): string => text.normalize('NFC').replace(UNSEEN, '$1').replace(STACKED, '$1')

/** A text that others will read, at most so long. */
export const shownText = (most: number) =>
  z
    .string()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, 'control characters')
    .overwrite(visible)
    .max(most)
