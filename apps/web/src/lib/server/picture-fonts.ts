import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import subsetFont from 'subset-font'
import { codePointsOf } from './font-coverage.ts'

/** Fonts as the renderer takes them. */
export interface PictureFont {
  name: string
  data: Buffer
  weight: 500 | 700
  style: 'normal'
}

const require = createRequire(import.meta.url)

/** Scripts of the Noto Sans fonts with a weight axis. The first font that has a character draws it. */
const SCRIPTS =
  'arabic hebrew devanagari bengali gujarati gurmukhi oriya tamil telugu kannada malayalam sinhala thai lao khmer georgian armenian ethiopic thaana'
const variable = (name: string) => ({ name, folder: `@fontsource-variable/${name}`, style: 'wght-normal' })
const fixed = (name: string, weight: number) => ({ name, folder: `@fontsource/${name}`, style: `${weight}-normal` })
const FAMILIES = [
  variable('inter'),
  variable('noto-sans'),
  ...SCRIPTS.split(' ').map((script) => variable(`noto-sans-${script}`)),
  fixed('noto-sans-myanmar', 700),
  variable('noto-sans-symbols'),
  variable('noto-sans-kr'),
  variable('noto-sans-jp'),
  variable('noto-sans-sc'),
  fixed('noto-sans-symbols-2', 400),
  fixed('noto-sans-math', 400),
]
/** Without kana, Han is drawn as it is written in Chinese. */
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Fonts of which the package lists less than the file has. */
const UNDERSTATED = new Set(['noto-sans-math', 'noto-sans-symbols-2'])
const BOTH_WEIGHTS = new Set(['inter'])
const BOLD = new Set(['inter', 'noto-sans-kr', 'noto-sans-jp', 'noto-sans-sc'])
/** The weight of the others: dots and vowel signs of bold letters would run into them. */
const REGULAR = 400
/** Most font files kept, ready for use. */
const MOST = 64

/** A file of a family, and the characters that it is made for: pairs of first and last. */
interface File {
  family: string
  path: string
  ranges: readonly (readonly [number, number])[]
}
interface Loaded {
  data: ReadonlyMap<PictureFont['weight'], Buffer>
  has: ReadonlySet<number>
}

let files: Promise<readonly File[]> | undefined
const kept = new Map<string, Promise<Loaded>>()

/** The parts of each family, by what their packages say of them. */
async function filesOf({ name, folder, style }: (typeof FAMILIES)[number]): Promise<File[]> {
  const list = require.resolve(`${folder}/unicode.json`)
  const parts: Record<string, string> = JSON.parse(await readFile(list, 'utf8'))
  return Object.entries(parts).map(([part, ranges]) => ({
    family: name,
    path: join(dirname(list), 'files', `${name}-${part.replace(/[[\]]/g, '')}-${style}.woff2`),
    ranges: UNDERSTATED.has(name) ? [[0, 0x10ffff]] : ranges.split(',').map(rangeOf),
  }))
}

function rangeOf(range: string): [number, number] {
  const [first, last = first] = range.replace(/^U\+/i, '').split('-')
  return [Number.parseInt(first!, 16), Number.parseInt(last!, 16)]
}

/** Unpacks a file. Inter has both weights in use, other fonts one. */
async function load({ family, path }: File): Promise<Loaded> {
  const packed = await readFile(path)
  const at = (wght: number) => {
    const variationAxes: Record<string, number> = path.includes('-wght-') ? { wght } : {}
    return subsetFont(packed, undefined, { targetFormat: 'sfnt', keepAllGlyphs: true, noHinting: true, variationAxes })
  }
  const bold = await at(BOLD.has(family) ? 700 : REGULAR)
  const medium = BOTH_WEIGHTS.has(family) ? await at(500) : null
  return {
    data: new Map(
      medium
        ? [
            [500, medium],
            [700, bold],
          ]
        : [[700, bold]],
    ),
    has: codePointsOf(bold),
  }
}

function loaded(file: File): Promise<Loaded> {
  const known = kept.get(file.path) ?? load(file)
  kept.delete(file.path)
  kept.set(file.path, known)
  known.catch(() => kept.delete(file.path))
  if (kept.size > MOST) kept.delete(kept.keys().next().value!)
  return known
}

/** The fonts that draw some texts, in order of preference, and the characters that no font has. */
export async function fontsFor(texts: readonly string[]): Promise<{ fonts: PictureFont[]; missing: ReadonlySet<string> }> {
  files ??= Promise.all(FAMILIES.map(filesOf)).then((all) => all.flat())
  const all = texts.join('')
  const avoided = KANA.test(all) ? '' : 'noto-sans-jp'
  const known = await files
  const usable = [...known.filter(({ family }) => family !== avoided), ...known.filter(({ family }) => family === avoided)]
  const fonts = new Map<File, Loaded>()
  const missing = new Set<string>()
  for (const character of new Set(all)) {
    const found = await fileWith(character.codePointAt(0)!, usable)
    if (found) fonts.set(...found)
    else missing.add(character)
  }
  const used = usable.flatMap((file) => (fonts.has(file) ? [[file, fonts.get(file)!] as const] : []))
  return {
    fonts: used.flatMap(([{ path }, { data }]) =>
      [...data].map(([weight, bytes]) => ({ name: basename(path, '.woff2'), data: bytes, weight, style: 'normal' as const })),
    ),
    missing,
  }
}

async function fileWith(code: number, usable: readonly File[]): Promise<[File, Loaded] | null> {
  for (const file of usable) {
    if (!file.ranges.some(([first, last]) => code >= first && code <= last)) continue
    const font = await loaded(file)
    if (font.has.has(code)) return [file, font]
  }
  return null
}
