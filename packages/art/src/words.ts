import { FAMILY_NAMES } from './palette.ts'
import { seedOf } from './seed.ts'

/** Most characters of a text that are read: titles can be long. */
const READ = 400

/** Returns a text in lower-case words without accents, signs and invisible characters: what names are compared by. */
export const plain = (text: string): string =>
  text
    .slice(0, READ)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/[^\p{L}\p{N}&$%+]+/gu, ' ')
    .trim()

const SMALL = /^(de|da|di|do|du|del|der|van|von|la|le|el|al|bin|ibn|the|of|and|jr|sr|ii|iii|iv)$/iu

/** Returns the initials of a name: of its first and last word, of any script; the first two letters of a single word. */
export function initialsOf(name: string, most = 2): string {
  const words = name
    .slice(0, READ)
    .normalize('NFC')
    .replace(/['’‘"“”][^'’‘"“”]*['’‘"“”]/gu, ' ')
    .split(/[^\p{L}\p{N}\p{M}'’]+/u)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word !== '')
  const said = words.filter((word) => !SMALL.test(word))
  const kept = said.length > 0 ? said : words
  const first = kept[0]
  if (first === undefined) return ''
  if (kept.length === 1) return letters(first, most)
  const last = kept.at(-1)!
  return (most > 2 && kept.length > 2 ? kept.slice(0, most) : [first, last]).map((word) => letters(word, 1)).join('')
}

/** The first letters of a word as capitals; of a script without spaces one. */
const letters = (word: string, most: number) =>
  [...word]
    .slice(0, /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word) ? 1 : most)
    .map((letter) => capital(letter))
    .join('')
const capital = (letter: string) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter)

/** Returns the place of a text's colour among the grounds. */
export const hueOf = (text: string): number => seedOf(text) % FAMILY_NAMES.length
