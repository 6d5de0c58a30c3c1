import type { DraftContent } from './draft.ts'

/** Signs that tell options apart, as words. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])[-–—−](?=\.?\d)/gu, ' minus '],
  [/±/g, ' plus or minus '],
  [/\+/g, ' plus '],
  [/≥|>=/g, ' at least '],
  [/≤|<=/g, ' at most '],
  [/>/g, ' above '],
  [/</g, ' below '],
  [/≠/g, ' not '],
  [/=/g, ' equals '],
  [/%/g, ' percent '],
]

/** Letters that have no diacritic to take off, in Latin ones. Letters that are missing here are left out. */
const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'ß ss æ ae œ oe ø o đ d ð d þ th ł l ı i ħ h ŋ n ə e',
    'а a б b в v г g ґ g д d е e є ie ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ - ы y ь - э e ю iu я ia',
    'ђ dj ј j љ lj њ nj ћ c џ dz ѓ g ќ k ѕ dz',
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
  ]
    .join(' ')
    .split(' ')
    .flatMap((letter, index, all) => (index % 2 === 0 ? [[letter, all[index + 1]!.replace('-', '')]] : [])),
)

/**
 * Returns the slug of a text: lower-case words joined by hyphens, signs as words, and Latin letters for Cyrillic and Greek ones, at most
 * `most` characters. Other scripts are left out, so it may be empty.
 */
export const slugOf = (text: string, most = 150): string =>
  SIGNS.reduce((all, [sign, word]) => all.replace(sign, word), text)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\0-\x7f]/g, (letter) => LATIN[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '')

/** Returns seven letters and digits that belong to a text, whatever its case and its spaces (FNV-1a). */
export function textMark(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(36).padStart(7, '0')
}

/** Returns the slug of a text, or its mark where no letter of it has a place in an address; empty for spaces and punctuation alone. */
export const slugOrMark = (text: string, most = 150): string => slugOf(text, most) || (/[^\p{P}\p{Z}\s]/u.test(text) ? textMark(text) : '')

/** Most characters of a slug. */
const MOST = 200

/**
 * Returns the slugs of the markets of a draft, in order. An option has the one that was written for it, else that of its title after the
 * slug of the event. Where that is empty or another option has it, the mark of the title is added: it is the same whatever the order.
 */
export function marketSlugs({ mode, slug, options }: Pick<DraftContent, 'mode' | 'slug' | 'options'>): string[] {
  if (mode === 'binary') return [`${slug}-market`]
  const titles = options.map((option) => option.short_title || option.question)
  const room = Math.max(1, MOST - slug.length - '-'.length - '-0000000'.length)
  const derived = titles.map((title) => slugOf(title, room))
  const isTaken = (at: number) =>
    options.some((option, i) => i !== at && (option.slug ? option.slug === `${slug}-${derived[at]}` : derived[i] === derived[at]))
  return options.map((option, i) => {
    if (option.slug) return option.slug
    return [slug, derived[i], derived[i] === '' || isTaken(i) ? textMark(titles[i]!) : ''].filter(Boolean).join('-')
  })
}
