/** Marks, invisible letters and lengthening that never tell two searched words apart. The migration of the search index has the same. */
const IGNORED =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u093c\u094d\u09bc\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u0e3a\u0e47-\u0e4e\u0ec8-\u0ecd\u1039\u103a\u17d2\u200b-\u200f\u202a-\u202e\u2060-\u2069]|[\u00ad\ufeff]|[\ufe00-\ufe0f]/g
const APOSTROPHES = /[‘’‛ʼʻʹ′´`＇]/g
/** Letters that have no decomposition, and what people type for them. */
const LIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [...'łøđħðıςىةیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९'].map((letter, nth) => [letter, [...'lodhdiσيهيك012345678901234567890123456789'][nth]!]),
)
const PAIRS: Readonly<Record<string, string>> = { æ: 'ae', œ: 'oe', þ: 'th' }

/** A text as searches compare it: one writing of every letter, without case, accents and other marks. */
export const fold = (text: string): string =>
  text
    .replace(APOSTROPHES, "'")
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(IGNORED, '')
    .replace(/[æœþ]/g, (letter) => PAIRS[letter]!)
    .replace(/[łøđħðıςىةیک٠-٩۰-۹०-९]/g, (letter) => LIKE[letter]!)
    .normalize('NFC')

/** The letters and digits of a text in one: every term of the text is a part of them. */
export const lettersOf = (text: string): string => fold(text).replace(NO_LETTERS, '')

const LETTER = String.raw`[\p{Alphabetic}\p{Nd}]`
const COMPOUND = new RegExp(`${LETTER}+(?:[-'.,/&_·‐–]+${LETTER}+)*`, 'gu')
const NO_LETTER = /[^\p{Alphabetic}\p{Nd}]+/u
const NO_LETTERS = new RegExp(NO_LETTER, 'gu')
/** Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese. */
const SPACELESS = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}`
const RUNS = new RegExp(`[${SPACELESS}]+|[^${SPACELESS}]+`, 'gu')
const IS_SPACELESS = new RegExp(`^[${SPACELESS}]`, 'u')
/** Letters of a script without spaces that are indexed together. */
export const GRAM = 3
/** Letters of a word that count. */
const LONGEST = 60
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=..)/
const HEBREW_ARTICLE = /^[הבלומשכ](?=[\u05d0-\u05ea]{3})/

/** Words written in one: `o'brien`, `coca-cola`, `u.s.`. */
export interface Compound {
  /** Written in one word. */
  whole: string
  parts: string[]
}

/** The words of a text, in order. */
export const compoundsOf = (text: string): Compound[] =>
  (fold(text).match(COMPOUND) ?? []).map((compound) => {
    const parts = compound.split(NO_LETTER)
    return { whole: parts.join(''), parts }
  })

/** A word by script, as what is between spaces can mix them. */
export const runsOf = (word: string): { run: string; isSpaceless: boolean }[] =>
  (word.match(RUNS) ?? []).map((run) => ({ run: [...run].slice(0, LONGEST).join(''), isSpaceless: IS_SPACELESS.test(run) }))

/** A word without the article that Arabic and Hebrew write in one with it; itself without one. */
export const withoutArticle = (word: string): string => word.replace(ARTICLE, '').replace(HEBREW_ARTICLE, '')

/** What a text is found by. Equal to `search_terms` of the database. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  for (const { whole, parts } of compoundsOf(text))
    for (const { run, isSpaceless } of [whole, ...parts].flatMap(runsOf)) {
      if (!isSpaceless) terms.add(run).add(withoutArticle(run))
      else for (let letters = [...run]; letters.length > 0; letters = letters.slice(1)) terms.add(letters.slice(0, GRAM).join(''))
    }
  return terms
}
