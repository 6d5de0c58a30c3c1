import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fontsFor, type PictureFont } from './picture-fonts.ts'

const EMOJI_FOLDER = dirname(createRequire(import.meta.url).resolve('@twemoji/svg/package.json'))

/** Texts of an image as they can be drawn. */
export interface DrawableTexts {
  /** By the text as it was written. */
  texts: ReadonlyMap<string, string>
  fonts: PictureFont[]
  /** Images of emoji, as `data:` URLs. */
  emoji: Record<string, string>
  /** Characters that were left out because nothing draws them. */
  missing: readonly string[]
}

/** Dark on dark, and drawn by fonts. */
const SIGNS = /^[©®™]/
const EMOJI = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|[\p{Extended_Pictographic}\p{Emoji_Component}].*\ufe0f)/v
/** Marks that are not drawn and that a font need not have: of direction, of variants, and the byte order mark. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\p{Cc}]|\ufe0e|\ufe0f/gu
/** Joiners shape their neighbours, in fonts that have them or not. */
const JOINERS = /\u200c|\u200d/g
/** Stands for what nothing draws. */
const GAP = '…'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Prepares texts for drawing: chooses fonts and images of emoji, and replaces what neither has by an ellipsis. */
export async function drawable(written: readonly string[]): Promise<DrawableTexts> {
  const emoji: Record<string, string> = {}
  const parts = new Map<string, string[]>()
  for (const text of written) {
    const pieces: string[] = []
    for (const { segment } of graphemes.segment(text.normalize('NFC').replace(/\s+/g, ' '))) {
      if (!EMOJI.test(segment) || SIGNS.test(segment)) {
        pieces.push(segment.replace(UNSEEN, ''))
        continue
      }
      for (const each of (await imageOf(segment)) ? [segment] : [...segment]) {
        const image = await imageOf(each)
        if (image) emoji[each] = image
        if (image || !/^(?:\u200d|\ufe0f|[\u{1f3fb}-\u{1f3ff}])$/u.test(each)) pieces.push(each)
      }
    }
    parts.set(text, pieces)
  }
  const letters = [...parts.values()].flat().filter((piece) => !(piece in emoji))
  const { fonts, missing } = await fontsFor([GAP, ...letters.map((piece) => piece.replace(JOINERS, ''))])
  const isDrawn = (piece: string) => piece in emoji || ![...piece].some((each) => missing.has(each))
  const texts = new Map([...parts].map(([text, pieces]) => [text, withGaps(pieces, isDrawn)]))
  return { texts, fonts, emoji, missing: [...missing] }
}

/** Several pieces in a row that are not drawn leave one gap. */
const withGaps = (pieces: readonly string[], isDrawn: (piece: string) => boolean): string =>
  pieces
    .map((piece) => (isDrawn(piece) ? piece : '\0'))
    .join('')
    .replace(/\0(?:[\0 ]*\0)?/g, GAP)

/** Image of an emoji, by the codes in its file's name; null when there is none. */
async function imageOf(emoji: string): Promise<string | null> {
  const codes = [...emoji].map((each) => each.codePointAt(0)!.toString(16))
  const plain = codes.filter((code) => code !== 'fe0f')
  for (const name of new Set([codes.includes('200d') ? codes : plain, plain].map((each) => each.join('-')))) {
    const svg = await readFile(join(EMOJI_FOLDER, `${name}.svg`)).catch(() => null)
    if (svg) return `data:image/svg+xml;base64,${svg.toString('base64')}`
  }
  return null
}

const STRONG = /[\p{L}]/u
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Syriac}\p{Script=Nko}]/u

/** The direction of a text by its first letter. */
export function directionOfText(text: string): 'ltr' | 'rtl' {
  const [first] = STRONG.exec(text) ?? []
  return first !== undefined && RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}
