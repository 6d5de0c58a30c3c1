import { withoutArticle } from './terms.ts'

/** A word to find: whole, or the beginning of one. */
export interface Term {
  text: string
  isPrefix: boolean
}

const whole = (text: string): Term => ({ text, isPrefix: false })
const beginning = (text: string): Term => ({ text, isPrefix: true })

/** Endings, and the letters that must stay before them. */
const ENDINGS: readonly (readonly [ending: RegExp, stays: number])[] = [
  [/ing$/, 3],
  [/ed$/, 3],
  [/ian$/, 4],
  [/ations?$/, 5],
  [/(?:ions?|ial|al|ic|cy|ers?|ors?|ly|ity|ism|ists?|ment|ship|ists?|ees?)$/, 5],
]

/** Other forms of a word, in the languages of the site: the singular, what it is derived from, and a number written in full. */
export function otherForms(word: string): Term[] {
  if (/^\d/.test(word)) return numberForms(word).map(whole)
  if (!/^[a-z]{4,}$/.test(word)) return [withoutArticle(word)].filter((bare) => bare !== word).map(beginning)
  const forms: Term[] = []
  if (/[^aeiou]y$/.test(word)) forms.push(whole(`${word.slice(0, -1)}ies`))
  if (/ies$/.test(word)) forms.push(whole(`${word.slice(0, -3)}y`))
  if (/ves$/.test(word)) forms.push(whole(`${word.slice(0, -3)}f`), whole(`${word.slice(0, -3)}fe`))
  if (/es$/.test(word) && (word.length > 6 || /(?:[sxzo]|[cs]h)es$/.test(word))) forms.push(beginning(word.slice(0, -2)))
  if (/[^s]s$/.test(word)) forms.push(beginning(word.slice(0, -1)))
  for (const [ending, stays] of ENDINGS) {
    const stem = word.replace(ending, '')
    const isDoubled = /([^aeiouls])\1$/.test(stem)
    if (stem !== word && /[aeiouy]/.test(stem) && stem.length >= (isDoubled ? 4 : stays))
      forms.push(beginning(isDoubled ? stem.slice(0, -1) : stem))
  }
  return forms
}

const UNITS: Readonly<Record<string, string>> = { k: '000', m: '000000', b: '000000000', bn: '000000000' }

/** `150k` and `150000` are one number. */
function numberForms(word: string): string[] {
  const [, digits, unit] = /^(\d{1,9})(k|m|bn?)$/.exec(word) ?? []
  if (digits && unit) return [digits + UNITS[unit]]
  return Object.entries(UNITS).flatMap(([short, zeros]) =>
    /^\d{4,18}$/.test(word) && word.endsWith(zeros) && !word.endsWith(`${zeros}000`) ? [word.slice(0, -zeros.length) + short] : [],
  )
}
