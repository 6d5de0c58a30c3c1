import { ServiceError } from '@augury/wire/service-error'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { type Declaration, stylesOf } from './svg-styles.ts'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
/** Most elements of a drawing; a logo has fewer. */
const LENGTH = 100_000
const DEPTH = 40
const ELEMENTS = 4000
/** Clip paths and masks: drawn again wherever they are referenced. */
const CUTS = 32
/** Each letter is an outline, and each stop is computed again wherever its gradient is used. */
const LETTERS = 500
const STOPS = 64

/**
 * Allowed elements: shapes, texts and paints. Nothing that runs, loads, links, animates, or repeats another part of the drawing. Of
 * attributes none repeats either: the dashes of one line, or the rounds of one gradient, would take minutes and gigabytes to draw.
 */
const ELEMENTS_KEPT = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs linearGradient radialGradient stop clipPath mask title desc'.split(
    ' ',
  ),
)
const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'])
/** Elements whose content is only drawn where it is referenced. */
const NAMED_ONLY = new Set(['defs', 'clipPath', 'mask'])
const TEXT_KEPT = new Set(['text', 'tspan', 'title', 'desc'])
const ATTRIBUTES_KEPT = new Set(
  `id viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points transform gradientTransform gradientUnits
   offset stop-color stop-opacity clipPathUnits maskUnits maskContentUnits clip-path mask clip-rule fill fill-rule fill-opacity stroke
   stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit opacity color display visibility font-family font-size
   font-weight font-style letter-spacing text-anchor dominant-baseline dx dy rotate textLength lengthAdjust pathLength vector-effect role
   aria-label`
    .split(/\s+/)
    .filter(Boolean),
)

/** Attributes that are properties of styles too. */
const PROPERTIES = new Set(
  `stop-color stop-opacity clip-path mask clip-rule fill fill-rule fill-opacity stroke stroke-width stroke-opacity stroke-linecap
   stroke-linejoin stroke-miterlimit opacity color display visibility font-family font-size font-weight font-style letter-spacing
   text-anchor dominant-baseline vector-effect`
    .split(/\s+/)
    .filter(Boolean),
)

/** Attributes that reference a part to be drawn again. */
const REPEATING = new Set(['mask', 'clip-path'])

/** Message for a picture in which nothing is visible. */
export const UNSEEN = 'nothing of it would be seen'

/** References may only point into the drawing itself. */
const OWN_PART = /^#[\w-]+$/
const OWN_PAINT = /^url\(\s*(["']?)#[\w-]+\1\s*\)$/

/**
 * Sanitizes an SVG. It is parsed as XML and written anew from an allow-list, so nothing of the source's own spelling survives; styles become
 * attributes. Throws `image_unusable` for what is not well-formed, has a document type, is too large, has styles that cannot be kept, or has
 * nothing visible left.
 */
export function sanitizeSvg(source: string): string {
  if (source.length > LENGTH) throw unusable(`a drawing has at most ${LENGTH} characters`)
  const drawing = source.replace(/^\uFEFF/, '').trim()
  const stylesFor = stylesOf(drawing)
  const out: string[] = []
  const open: { name: string; kept: boolean }[] = []
  let elements = 0
  let cuts = 0
  let stops = 0
  let letters = 0
  let problem: string | null = null
  let isSeen = false
  const isDrawn = () => open.every(({ name, kept }) => kept && !NAMED_ONLY.has(name))
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('error', (error) => {
    problem ??= error.message
  })
  parser.on('doctype', () => {
    problem ??= 'a document type is not allowed'
  })
  parser.on('opentag', (tag) => {
    if (++elements > ELEMENTS || open.length >= DEPTH) problem ??= 'too many elements'
    if (tag.local === 'stop' && ++stops > STOPS) problem ??= 'too many stops of gradients'
    if (problem !== null) return
    const attributes = attributesOf(tag, stylesFor(tag))
    const named = attributes.filter(([name]) => REPEATING.has(name)).length
    cuts += named
    // Nested references grow exponentially: a few elements would take hours to draw.
    if (cuts > CUTS || (named > 0 && open.some(({ name }) => name === 'mask' || name === 'clipPath'))) problem ??= 'too many cuts and masks'
    if (problem !== null) return
    const outside = open.length > 0 && !open.at(-1)!.kept
    const kept = !outside && tag.uri === SVG && ELEMENTS_KEPT.has(tag.local) && open.length > 0 === (tag.local !== 'svg')
    open.push({ name: tag.local, kept })
    isSeen ||= SHAPES.has(tag.local) && isDrawn()
    if (kept)
      out.push(
        `<${tag.local}${open.length === 1 ? ` xmlns="${SVG}"` : ''}${attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')}>`,
      )
  })
  const write = (text: string) => {
    const parent = open.at(-1)
    if (problem !== null || !parent?.kept || !TEXT_KEPT.has(parent.name)) return
    letters += text.trim().length
    if (letters > LETTERS) problem ??= 'too much text'
    out.push(escaped(text))
    isSeen ||= (parent.name === 'text' || parent.name === 'tspan') && text.trim() !== '' && isDrawn()
  }
  parser.on('text', write)
  parser.on('cdata', write)
  parser.on('closetag', () => {
    const closed = open.pop()
    if (problem === null && closed?.kept) out.push(`</${closed.name}>`)
  })
  parser.write(drawing).close()
  if (problem !== null) throw unusable(problem)
  if (!out[0]?.startsWith('<svg')) throw unusable('the outermost element has to be svg')
  if (!isSeen) throw unusable(UNSEEN)
  return out.join('')
}

/** The attributes to keep of an element. Its styles win over its attributes of the same names, and throw `image_unusable` for other values. */
function attributesOf({ local: element, attributes }: SaxesTagNS, styles: readonly Declaration[]): [name: string, value: string][] {
  const kept = new Map<string, string>()
  for (const { uri, local, value } of Object.values(attributes)) {
    const text = value.trim()
    if (local === 'href' && (uri === '' || uri === XLINK)) {
      if (isPaint(element) && OWN_PART.test(text)) kept.set('href', text)
    } else if (uri === '' && ATTRIBUTES_KEPT.has(local) && isHarmless(text)) kept.set(local, text)
  }
  for (const { name, value } of styles) {
    if (!PROPERTIES.has(name) || value === '') continue
    if (!isHarmless(value)) throw unusable(`the style “${name}: ${value.slice(0, 60)}” cannot be kept`)
    kept.set(name, value)
  }
  return [...kept]
}

/** A gradient may inherit its stops from another one. */
const isPaint = (element: string): boolean => element === 'linearGradient' || element === 'radialGradient'

/** Functions of colours and coordinates; some others, such as `image-set`, fetch what they name. */
const FUNCTIONS = /^(?:url|(?:rgb|hsl)a?|hwb|lab|lch|oklab|oklch|color|matrix|translate|scale|rotate|skew[xy])$/i

/** Names that are called. Each is looked for from its first letter on: from every letter on, a long word would take seconds. */
const CALLED = /(?<![\w-])([\w-]+)\(/g

/** Attribute values may only call `url(#…)` and functions of colours and coordinates. */
const isHarmless = (value: string): boolean =>
  value.length <= 20_000 &&
  !/[\\@]|\/\*|javascript:|data:|expression/i.test(value) &&
  (!/url/i.test(value) || OWN_PAINT.test(value)) &&
  [...value.matchAll(CALLED)].every(([, name]) => FUNCTIONS.test(name!))

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

const unusable = (reason: string) => new ServiceError('image_unusable', { details: { reason } })
