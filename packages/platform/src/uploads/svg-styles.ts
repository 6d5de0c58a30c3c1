import { ServiceError } from '@augury/wire/service-error'
import { SaxesParser, type SaxesTagNS } from 'saxes'

const SVG = 'http://www.w3.org/2000/svg'
/** Most selectors of a drawing's style sheets. */
const SELECTORS = 500

/** A property and its value, and whether it is `!important`. */
export interface Declaration {
  name: string
  value: string
  important: boolean
}

interface Rule {
  tag: string | null
  ids: string[]
  classes: string[]
  declarations: Declaration[]
}

/** At-rules without which a drawing has the same colours. */
const AT_RULES = /@(?:charset|namespace)[^;{}]*;|@font-face\s*\{[^{}]*\}/gi
const SELECTOR = /^(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)$/i
/** States that a picture never has. */
const STATE = /:(?:hover|focus|active|visited|link)$/i

/** Reads declarations as in a `style` attribute. */
export const declarationsOf = (style: string): Declaration[] =>
  style.split(';').flatMap((declaration) => {
    const colon = declaration.indexOf(':')
    if (colon < 0) return []
    const value = declaration.slice(colon + 1).trim()
    const important = /!\s*important$/i.test(value)
    const name = declaration.slice(0, colon).trim().toLowerCase()
    return [{ name, value: important ? value.slice(0, value.lastIndexOf('!')).trim() : value, important }]
  })

/**
 * The style sheets of a drawing, as a function from an element to its declarations, those that win last. Selectors name elements, classes and
 * ids. Throws `image_unusable` for others, and for at-rules, by which colours would be lost.
 */
export function stylesOf(source: string): (tag: SaxesTagNS) => Declaration[] {
  const rules = rulesOf(sheetsOf(source))
  return (tag) => {
    const own = (name: string) => tag.attributes[name]?.value ?? ''
    const classes = own('class').split(/\s+/)
    const matching = rules.filter(
      (rule) =>
        (rule.tag === null || rule.tag === tag.local) &&
        rule.ids.every((id) => id === own('id')) &&
        rule.classes.every((name) => classes.includes(name)),
    )
    const declared = [...matching.sort(bySpecificity).flatMap(({ declarations }) => declarations), ...declarationsOf(own('style'))]
    return [...declared.filter(({ important }) => !important), ...declared.filter(({ important }) => important)]
  }
}

/** Rules of equal specificity stay in their order. */
const bySpecificity = (a: Rule, b: Rule): number =>
  a.ids.length - b.ids.length || a.classes.length - b.classes.length || Number(a.tag !== null) - Number(b.tag !== null)

/** The text of the style sheets in a drawing. */
function sheetsOf(source: string): string {
  const texts: string[] = []
  let depth = 0
  const parser = new SaxesParser({ xmlns: true, position: false })
  const isStyle = ({ local, uri }: SaxesTagNS) => local === 'style' && uri === SVG
  parser.on('error', () => {}) // reported when the drawing itself is read
  parser.on('opentag', (tag) => {
    if (isStyle(tag)) depth++
  })
  parser.on('closetag', (tag) => {
    if (isStyle(tag)) depth--
  })
  const note = (text: string) => {
    if (depth > 0) texts.push(text)
  }
  parser.on('text', note)
  parser.on('cdata', note)
  parser.write(source).close()
  return texts.join('\n')
}

function rulesOf(sheet: string): Rule[] {
  const text = withoutComments(sheet).replace(AT_RULES, '')
  const atRule = /@[\w-]*/.exec(text)?.[0]
  if (atRule !== undefined) throw unusable(`a style sheet with “${atRule}” is not supported`)
  const rules = text.split('}').flatMap((part) => {
    const brace = part.indexOf('{')
    if (brace < 0) return []
    const declarations = declarationsOf(part.slice(brace + 1))
    return part
      .slice(0, brace)
      .split(',')
      .flatMap((selector) => ruleOf(selector.trim(), declarations) ?? [])
  })
  if (rules.length > SELECTORS) throw unusable(`a drawing has at most ${SELECTORS} selectors of styles`)
  return rules
}

function ruleOf(selector: string, declarations: Declaration[]): Rule | null {
  if (STATE.test(selector)) return null
  const found = SELECTOR.exec(selector)
  if (!found || selector === '')
    throw unusable(`a style for “${selector.slice(0, 60)}” is not supported: name an element, a class or an id`)
  const [, tag = '*', names = ''] = found
  const named = (mark: string) => (names.match(/[.#][\w-]+/g) ?? []).filter((name) => name[0] === mark).map((name) => name.slice(1))
  return { tag: tag === '*' ? null : tag, ids: named('#'), classes: named('.'), declarations }
}

/** Also the marks by which style sheets were once hidden from old readers. */
const withoutComments = (sheet: string): string =>
  sheet
    .split('/*')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('*/') < 0 ? part.length : part.indexOf('*/') + 2)))
    .join('')
    .replace(/<!--|-->/g, '')

const unusable = (reason: string) => new ServiceError('image_unusable', { details: { reason } })
