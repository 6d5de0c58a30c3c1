/** What is drawn. Only short fields, so that a picture's address is short, safe, and the same for everything that looks the same. */
export type Spec =
  | { kind: 'emblem'; name: string; flag?: string }
  | { kind: 'flags'; codes: readonly string[] }
  | { kind: 'coin'; name: string }
  | { kind: 'token'; letters: string; hue: number }
  | { kind: 'person'; letters: string; hue: number; flag?: string }
  | { kind: 'member'; name: string }
  | { kind: 'address'; address: string }
  | { kind: 'team'; letters: string; first: string; second: string; pattern: number }
  | { kind: 'date'; top: string; bottom: string }
  | { kind: 'level'; direction: 'u' | 'd' | 'n'; text: string }
  | { kind: 'parties'; first: string; second: string }
  | { kind: 'letters'; letters: string; hue: number }
  | { kind: 'pattern'; hue: number; seed: number }

const LETTERS = /^[\p{L}\p{N}]{1,4}$/u
const HUE = /^\d{1,2}$/
const CODE = /^[a-z]{2}$/
const COLOUR = /^[0-9a-f]{6}$/
const LEVEL = /^[\p{L}\p{N}$€£¥%°+.,<>≥≤-]{1,8}$/u
const WORD = /^[a-z]{2,20}$/

const all = (parts: string[], ...tests: RegExp[]) => parts.length === tests.length && parts.every((part, n) => tests[n]!.test(part))

/** How each kind is written, and read from the parts of a name; null where they are none of this kind. */
const READ: Readonly<Record<string, (parts: string[]) => Spec | null>> = {
  e: ([name = '', ...flag]) =>
    WORD.test(name) && flag.length < 2 && flag.every((code) => CODE.test(code))
      ? { kind: 'emblem', name, ...(flag[0] ? { flag: flag[0] } : {}) }
      : null,
  f: (codes) => (codes.length >= 1 && codes.length <= 2 && codes.every((code) => CODE.test(code)) ? { kind: 'flags', codes } : null),
  c: (parts) => (all(parts, WORD) ? { kind: 'coin', name: parts[0]! } : null),
  k: (parts) => (all(parts, LETTERS, HUE) ? { kind: 'token', letters: parts[0]!, hue: Number(parts[1]) } : null),
  p: ([letters = '', hue = '', ...flag]) =>
    LETTERS.test(letters) && HUE.test(hue) && flag.length < 2 && flag.every((code) => CODE.test(code))
      ? { kind: 'person', letters, hue: Number(hue), ...(flag[0] ? { flag: flag[0] } : {}) }
      : null,
  u: (parts) => (/^[A-Za-z0-9_]{3,30}$/.test(parts.join('_')) ? { kind: 'member', name: parts.join('_') } : null),
  a: (parts) => (all(parts, /^0x[0-9a-f]{40}$/) ? { kind: 'address', address: parts[0]! } : null),
  t: (parts) =>
    all(parts, LETTERS, COLOUR, COLOUR, /^[0-6]$/)
      ? { kind: 'team', letters: parts[0]!, first: parts[1]!, second: parts[2]!, pattern: Number(parts[3]) }
      : null,
  d: (parts) => (all(parts, /^[A-Z]{0,4}$/, /^[A-Z\d]{1,4}$/) ? { kind: 'date', top: parts[0]!, bottom: parts[1]! } : null),
  l: (parts) => (all(parts, /^[udn]$/, LEVEL) ? { kind: 'level', direction: parts[0] as 'u' | 'd' | 'n', text: parts[1]! } : null),
  s: (parts) => (all(parts, /^[drx]$/, /^[drx]$/) ? { kind: 'parties', first: parts[0]!, second: parts[1]! } : null),
  w: (parts) => (all(parts, LETTERS, HUE) ? { kind: 'letters', letters: parts[0]!, hue: Number(parts[1]) } : null),
  g: (parts) => (all(parts, HUE, /^\d{1,4}$/) ? { kind: 'pattern', hue: Number(parts[0]), seed: Number(parts[1]) } : null),
}

/** Reads a picture's name; null for every text that is none. */
export function readSpec(name: string): Spec | null {
  if (name.length > 64) return null
  const [kind = '', ...parts] = name.split('_')
  return Object.hasOwn(READ, kind) ? READ[kind]!(parts) : null
}

/** Writes the name of a picture, which `readSpec` reads. */
export function writeSpec(spec: Spec): string {
  switch (spec.kind) {
    case 'emblem':
      return join('e', spec.name, spec.flag)
    case 'flags':
      return join('f', ...spec.codes)
    case 'coin':
      return join('c', spec.name)
    case 'token':
      return join('k', spec.letters, spec.hue)
    case 'person':
      return join('p', spec.letters, spec.hue, spec.flag)
    case 'member':
      return join('u', spec.name)
    case 'address':
      return join('a', spec.address)
    case 'team':
      return join('t', spec.letters, spec.first, spec.second, spec.pattern)
    case 'date':
      return join('d', spec.top, spec.bottom)
    case 'level':
      return join('l', spec.direction, spec.text)
    case 'parties':
      return join('s', spec.first, spec.second)
    case 'letters':
      return join('w', spec.letters, spec.hue)
    case 'pattern':
      return join('g', spec.hue, spec.seed)
  }
}

const join = (...parts: (string | number | undefined)[]) => parts.filter((part) => part !== undefined).join('_')
