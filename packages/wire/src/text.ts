import { z } from 'zod'

/**
 * Whether every string in a value, including keys, can be stored as it was sent: no NUL, which PostgreSQL refuses, and no lone surrogates,
 * which JSON can express and UTF-8 cannot.
 */
export function isWellFormedText(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormedText)
  return Object.entries(value).every(([key, inner]) => isWellFormedText(key) && isWellFormedText(inner))
}

/** Invisible characters with a function in letters and emoji: tags of flags, joiners, and variation selectors. */
const SHAPING = [
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})[\uFE0E\uFE0F]`,
  String.raw`(?<=[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)[\u200C\u200D](?=[\p{L}\p{M}])`,
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
].join('|')
/** Characters that are not shown: ignorable ones, direction marks, annotations, and Unicode line separators. */
const HIDDEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFF9-\uFFFB]`
const UNSEEN = new RegExp(`(${SHAPING})|${HIDDEN}`, 'gu')
/** More combining marks on a letter than any language uses; they would overlap other lines. */
const STACKED = /(\p{M}{4})\p{M}+/gu
/** The same before normalization, whose time grows with the square of such a run. */
const CROWDED = /(\p{M}{30})\p{M}+/gu

/**
 * A text reduced to what is visible: in NFC, without invisible or direction-changing characters, with at most four combining marks on a
 * letter.
 */
export const visible = (text: string): string => text.replace(CROWDED, '$1').normalize('NFC').replace(UNSEEN, '$1').replace(STACKED, '$1')

/** A text shown to others, of at most `most` characters. */
export const shownText = (most: number) =>
  z
    .string()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refuses them
    .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, 'control characters')
    .overwrite(visible)
    .max(most)
