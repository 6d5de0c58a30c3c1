import satori from 'satori'
import sharp from 'sharp'
import { directionOf } from '#lib/language/locale.ts'
import { getLocale } from '#lib/paraglide/runtime.js'
import { log } from './log.ts'
import { type DrawableTexts, directionOfText, drawable } from './picture-text.ts'

/** Content of a sharing image: a title, optionally outcomes with formatted chances, and a footer line. */
export interface SharePicture {
  /** Name of the site, and its square icon as a `data:` URL, read only when drawing. */
  site: { name: string; mark(): Promise<string> }
  /** Shown beside the site's name: that the site is one of play money. */
  notice?: string
  title: string
  /** The picture of what the title is about, as a `data:` URL, read only when drawing. */
  picture?: (() => Promise<string>) | undefined
  /** What the title is part of: the event of an outcome. */
  about?: string
  /** A large figure, of a gain or a loss. */
  figure?: { text: string; side: 'yes' | 'no' | '' }
  rows: { name: string; chance: string; percent: number | null }[]
  foot: string
}

const SIZE = { width: 1200, height: 630 }
/** Rows of outcomes on an image. */
const ROWS = 3

type Style = Record<string, string | number>
type Node =
  | { type: 'div'; props: { style: Style; children: Node[] | string } }
  | { type: 'img'; props: { style: Style; src: string; width: number; height: number } }
const box = (style: Style, children: Node[] | string): Node => ({ type: 'div', props: { style: { display: 'flex', ...style }, children } })

/** Draws the image as a PNG. Characters that no font has become an ellipsis, and the log says which. */
export async function drawSharePicture(wanted: SharePicture): Promise<Buffer> {
  const { site, title, about = '', notice = '', foot } = wanted
  const rows = wanted.rows.slice(0, ROWS).map((row) => ({ ...row, name: cut(row.name, 46) }))
  const written = [site.name, notice, title, about, wanted.figure?.text ?? '', foot, ...rows.flatMap(({ name, chance }) => [name, chance])]
  const can = await drawable(written)
  if (can.missing.length > 0) log.warn({ characters: can.missing.map(codeOf), title }, 'a sharing image lacks characters that no font has')
  const page = pageOf({ ...wanted, rows }, { mark: await site.mark(), picture: await wanted.picture?.() }, can)
  const svg = await satori(page as Parameters<typeof satori>[0], { ...SIZE, fonts: can.fonts, graphemeImages: can.emoji })
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer()
}

/** The image as a tree of boxes, in the direction of the page's language; each text has that of its own letters. */
function pageOf(
  { site, title, about = '', notice = '', figure, rows, foot }: SharePicture,
  images: { mark: string; picture: string | undefined },
  can: DrawableTexts,
): Node {
  const say = (text: string, style: Style = {}) => {
    const shown = can.texts.get(text) ?? text
    return box({ direction: directionOfText(shown), ...style }, shown)
  }
  const header = [
    { type: 'img', props: { src: images.mark, width: 44, height: 44, style: { borderRadius: 10 } } } as const,
    say(site.name),
    ...(notice === ''
      ? []
      : [say(notice, { padding: '6px 16px', borderRadius: 22, background: '#2b2410', color: '#f2c14e', fontSize: 24, fontWeight: 500 })]),
  ]
  return box(
    {
      flexDirection: 'column',
      boxSizing: 'border-box',
      width: '100%',
      height: '100%',
      padding: 64,
      background: '#0b0f14',
      color: '#edf1f5',
      fontFamily: [...new Set(can.fonts.map(({ name }) => name))].join(', '),
      direction: directionOf(getLocale()),
    },
    [
      box({ alignItems: 'center', gap: 18, fontSize: 30, fontWeight: 700 }, header),
      box({ alignItems: 'flex-start', gap: 32, marginTop: 28 }, [
        ...pictured(images.picture),
        say(title, { display: 'block', flex: 1, wordBreak: 'break-word', fontWeight: 700, ...sizeOf(title, about === '' ? 3 : 2) }),
      ]),
      ...(about === ''
        ? []
        : [
            say(about, { display: 'block', lineClamp: 2, marginTop: 14, fontSize: 32, lineHeight: 1.3, color: '#b4bfcb', fontWeight: 500 }),
          ]),
      ...(figure
        ? [
            say(figure.text, {
              marginTop: 'auto',
              fontSize: 104,
              fontWeight: 700,
              letterSpacing: -3,
              lineHeight: 1.1,
              color: GAINS[figure.side],
            }),
          ]
        : []),
      box(
        { flexDirection: 'column', marginTop: figure ? 18 : 'auto', gap: 14 },
        rows.map(({ name, chance, percent }) => rowOf(say(name), say(chance, { fontWeight: 700 }), percent)),
      ),
      say(foot, { marginTop: 24, fontSize: 26, color: '#8f9baa', fontWeight: 500 }),
    ],
  )
}

/** Colours of a gain and of a loss on a dark ground. */
const GAINS = { yes: '#34c491', no: '#ff7285', '': '#edf1f5' } as const

const pictured = (src: string | undefined): Node[] =>
  src === undefined ? [] : [{ type: 'img', props: { src, width: 120, height: 120, style: { borderRadius: 26 } } }]

const rowOf = (name: Node, chance: Node, percent: number | null): Node =>
  box({ flexDirection: 'column', gap: 10 }, [
    box({ justifyContent: 'space-between', fontSize: 34, lineHeight: 1.3, fontWeight: 500 }, [name, chance]),
    box(
      { width: '100%', height: 10, borderRadius: 5, background: '#1b232c' },
      percent === null
        ? []
        : [box({ width: `${Math.max(1, Math.min(100, percent))}%`, height: 10, borderRadius: 5, background: '#6ea0ff' }, '')],
    ),
  ])

const SQUARE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/gu
const ALPHABETS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u

/** Size and spacing of a title of at most some lines. Letters of joined scripts would come apart where they are set tight, and some are tall. */
function sizeOf(title: string, lines: number): Style {
  const width = title.length + (title.match(SQUARE)?.length ?? 0)
  const fontSize = width > 60 ? 40 : 54
  if (ALPHABETS.test(title)) return { fontSize, lineHeight: 1.15, letterSpacing: -1.5, lineClamp: lines }
  if (title.search(SQUARE) >= 0) return { fontSize, lineHeight: 1.25, lineClamp: lines }
  return { fontSize, lineHeight: 1.45, lineClamp: 2 }
}

const cut = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

const codeOf = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
