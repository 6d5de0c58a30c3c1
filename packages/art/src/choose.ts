import { countryNamed } from './countries.ts'
import { dateIn, levelIn } from './figures.ts'
import { FAMILY_NAMES, type FamilyName } from './palette.ts'
import { seedOf } from './seed.ts'
import { readSpec, type Spec, writeSpec } from './spec.ts'
import { someTeam, teamNamed } from './teams.ts'
import { partyIn, topicOf } from './topics.ts'
import { hueOf, initialsOf, plain } from './words.ts'

/** What a picture of an event is chosen by. `tags` are slugs, the main category first. */
export interface EventWords {
  title: string
  tags: readonly string[]
}

/** Grounds of the usual categories. */
const CATEGORIES: Readonly<Record<string, FamilyName>> = {
  sports: 'green',
  soccer: 'green',
  football: 'green',
  politics: 'indigo',
  elections: 'indigo',
  crypto: 'amber',
  tech: 'violet',
  technology: 'violet',
  ai: 'violet',
  science: 'night',
  culture: 'rose',
  entertainment: 'rose',
  music: 'rose',
  economy: 'blue',
  finance: 'blue',
  business: 'blue',
  world: 'teal',
  geopolitics: 'teal',
  weather: 'ice',
  climate: 'ice',
  health: 'red',
}

/** Motifs of the usual categories. */
const MOTIFS: Readonly<Record<string, string>> = {
  ...{ sports: 'trophy', soccer: 'football', football: 'football', basketball: 'basketball', hockey: 'hockey', tennis: 'tennis' },
  ...{ politics: 'parliament', elections: 'ballot', world: 'globe', geopolitics: 'globe', ukraine: 'globe', crypto: 'coins', tech: 'cpu' },
  ...{
    technology: 'cpu',
    ai: 'ai',
    science: 'atom',
    culture: 'film',
    entertainment: 'film',
    music: 'music',
    movies: 'film',
    games: 'esports',
  },
  ...{ economy: 'chart', finance: 'chart', business: 'company', weather: 'sun', climate: 'thermometer', health: 'health', space: 'rocket' },
}

/** Returns the name of the picture of an event: what its title is about, else a pattern of its own in its category's colours. */
export function artOfEvent({ title, tags }: EventWords): string {
  return writeSpec(topicOf(title, tags.includes('crypto')) ?? patternOf(title, tags))
}

/** Returns the name of the picture of a category. */
export function artOfCategory(slug: string): string {
  const motif = Object.hasOwn(MOTIFS, slug) ? MOTIFS[slug] : undefined
  return writeSpec(motif === undefined ? patternOf(slug, [slug]) : { kind: 'emblem', name: motif })
}

function patternOf(text: string, tags: readonly string[]): Spec {
  const category = tags.find((tag) => Object.hasOwn(CATEGORIES, tag))
  const hue = category === undefined ? hueOf(plain(text)) : FAMILY_NAMES.indexOf(CATEGORIES[category]!)
  return { kind: 'pattern', hue, seed: seedOf(text) % 10_000 }
}

/** Returns the name of the picture of one of several outcomes of an event: `name` is what it is called there. */
export function artOfOutcome(name: string, event: EventWords): string {
  const read = name.slice(0, 300)
  return writeSpec(namedOutcome(read, event) ?? askedOutcome(read, event) ?? initialed(read) ?? patternOf(name, event.tags))
}

const OTHER = /(^|: ?|\b)(other|others|none|none of the above|no one|nobody|another|the field|someone else|any other \w+)$/i
const SPORT = /\b(league|nba|nfl|nhl|mlb|champion(ship)?)\b/i

function namedOutcome(name: string, event: EventWords): Spec | null {
  if (OTHER.test(name.trim())) return { kind: 'emblem', name: 'question' }
  const isSport = event.tags.includes('sports') || SPORT.test(event.title)
  const country = isSport && teamNamed(name) ? null : countryNamed(name)
  if (country) return { kind: 'flags', codes: [country] }
  if (isSport) return sportsman(name, event.title)
  const party = partyIn(name)
  if (party) return party
  const figure = dateIn(name, event.title) ?? levelIn(name)
  if (figure) return figure
  return isPerson(name) ? personOf(name) : null
}

const BY_PLAYER =
  /\b(mvp|rookie|player|ballon|boot|scorer|coach|manager|masters|open|prix|drivers?|wimbledon|golfer|fight|medal|heisman|young)\b/i
function sportsman(name: string, title: string): Spec | null {
  const figure = dateIn(name, title) ?? levelIn(name)
  if (figure) return figure
  const team = teamNamed(name)
  if (team) return { kind: 'team', ...team }
  if (BY_PLAYER.test(title) && isPerson(name)) return personOf(name)
  const worn = name.length <= 40 ? someTeam(name) : null
  return worn && { kind: 'team', ...worn }
}

/** Whether a text looks like the name of a person: two to five words that begin with capitals. */
const isPerson = (name: string): boolean =>
  name.length <= 60 &&
  /^\p{Lu}[\p{L}\p{M}.'’-]*( (['’"“]?\p{Lu}[\p{L}\p{M}.'’"”-]*|de|da|di|do|van|von|der|del|la|bin|al)){1,4}$/u.test(name.trim())

/** Returns the monogram of a person's name. */
const personOf = (name: string): Spec | null => {
  const letters = initialsOf(name)
  return letters === '' ? null : { kind: 'person', letters, hue: hueOf(plain(name)) }
}

/** The topic of an outcome: of the words of its name that are not its event's. */
function askedOutcome(name: string, { title, tags }: EventWords): Spec | null {
  const known = new Set(plain(title).split(' '))
  const words = name.split(/\s+/).filter((word) => !known.has(plain(word)))
  const rest = words.join(' ')
  return partyIn(rest) ?? topicOf(rest, tags.includes('crypto')) ?? initialed(subjectOf(words))
}

const ASKS = /^(will|what|when|which|who|does|is|are|can|new)$/i
/** What a question is about: its first words in capitals; any other short name as it is. */
function subjectOf(words: readonly string[]): string {
  const from = words.findIndex((word) => /^\p{Lu}/u.test(word) && !ASKS.test(word))
  if (words.length <= 3 || from < 0) return words.length <= 3 ? words.join(' ') : ''
  const rest = words.slice(from)
  const end = rest.findIndex((word) => !/^[\p{Lu}\d]/u.test(word))
  return rest.slice(0, end < 0 ? 3 : Math.min(3, end)).join(' ')
}

/** Short names without any rule: their letters. */
function initialed(name: string): Spec | null {
  const letters = initialsOf(name)
  return letters === '' ? null : { kind: 'letters', letters, hue: hueOf(plain(name)) }
}

/** Returns the name of the picture of a member: initials of the name, or a pattern of the address. */
export function artOfPerson({ username, address }: { username: string | null; address: string }): string {
  const named = username === null ? null : `u_${username}`
  return [named, `a_${address.toLowerCase()}`].find((name) => name !== null && readSpec(name) !== null) ?? writeSpec(patternOf(address, []))
}
