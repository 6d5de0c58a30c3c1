import type { Spec } from './spec.ts'

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const DAY = new RegExp(`\\b(${MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'i')
const MONTH = new RegExp(`\\b(${MONTHS})\\b`, 'i')
const YEAR = /\b(20\d\d)\b/
const ASKS_WHEN = /\bby\b|\bbefore\b|\bwhen\b|_{2,}|\.{3}|…/i

/** Returns a leaf of a calendar for an outcome that is a date; null for any other name. */
export function dateIn(name: string, title: string): Spec | null {
  const short = name.trim()
  if (short.length > 24 && !ASKS_WHEN.test(title)) return null
  const day = DAY.exec(short)
  if (day) return { kind: 'date', top: day[1]!.slice(0, 3).toUpperCase(), bottom: String(Number(day[2])) }
  const isDate = short.length <= 24 || /\b(before|by|in)\b/i.test(short)
  const month = isDate && ASKS_WHEN.test(title) ? MONTH.exec(short) : null
  if (month) return { kind: 'date', top: '', bottom: month[1]!.slice(0, 3).toUpperCase() }
  const year = /^(by |before |in )?(end of )?20\d\d$/i.test(short) || (isDate && ASKS_WHEN.test(title)) ? YEAR.exec(short) : null
  return year ? { kind: 'date', top: '', bottom: year[1]! } : null
}

const AMOUNT = String.raw`[$€£¥]?\d[\d.,]*\s?(?:k|m|mm|b|bn|t|million|billion|trillion)?(?:%|°[cf]?|bps)?`
const RANGE = new RegExp(`^(?:between )?(${AMOUNT})\\s?(?:-|–|—|to|and)\\s?(${AMOUNT})$`, 'i')
const UP = new RegExp(`(?:[>≥↑]|\\babove|\\bover|\\bat least|\\bmore than|\\breach|\\bhit)=?\\s?(${AMOUNT})`, 'i')
const DOWN = new RegExp(`(?:[<≤↓]|\\bbelow|\\bunder|\\bless than|\\bat most|\\bdip to)=?\\s?(${AMOUNT})`, 'i')
const ALONE = new RegExp(`^(${AMOUNT})(\\+| or (?:more|higher|above))?$`, 'i')

/** Returns the picture of an outcome that is an amount, a bound or a range; null for any other name. */
export function levelIn(name: string): Spec | null {
  const text = name.trim()
  const range = RANGE.exec(text)
  if (range) return level('n', `${brief(range[1]!)}-${brief(range[2]!)}`)
  const [up, down, alone] = [UP, DOWN, ALONE].map((pattern) => pattern.exec(text)?.[1])
  if (up !== undefined) return level('u', brief(up))
  if (down !== undefined) return level('d', brief(down))
  if (alone === undefined) return null
  return level(/\+|or (more|higher|above)/i.test(text) ? 'u' : 'n', brief(alone))
}

const brief = (amount: string) =>
  amount
    .replace(/\s/g, '')
    .replace(/\.$/, '')
    .replace(/million|mm/i, 'M')
    .replace(/billion|bn/i, 'B')
    .replace(/trillion/i, 'T')
    .replace(/,000$/, 'k')
    .replace(/[kmbt](?![ps])/, (letter) => (letter === 'k' ? 'k' : letter.toUpperCase()))
const level = (direction: 'u' | 'd' | 'n', text: string): Spec | null => (text.length > 8 ? null : { kind: 'level', direction, text })
