import { marked } from 'marked'

/** A guide of the documentation. Its text is trusted, as it is part of this repository. */
export interface Guide {
  slug: string
  title: string
  /** The first paragraph, as text. */
  about: string
  html: string
  /** Headings, for the table of contents and the search. */
  headings: { id: string; text: string }[]
  /** All text in lower case. */
  words: string
}

const texts = import.meta.glob<string>('../../docs/*.md', { query: '?raw', import: 'default', eager: true })

/** Slugs in listing order. */
const ORDER = ['trading', 'orders', 'money', 'concepts', 'first-bot', 'api-guide', 'refusals', 'verify', 'leave', 'operating', 'terms']

/** Fragment id of a heading. */
const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function guide(slug: string, text: string): Guide {
  const tokens = marked.lexer(text)
  const title = tokens.find((token) => token.type === 'heading' && token.depth === 1)
  const about = tokens.find((token) => token.type === 'paragraph')
  const headings = tokens.flatMap((token) =>
    token.type === 'heading' && token.depth === 2 ? [{ id: idOf(token.text), text: token.text as string }] : [],
  )
  const html = marked
    .parser(tokens.filter((token) => token !== title))
    .replace(/<h2>(.*?)<\/h2>/g, (_, inner: string) => `<h2 id="${idOf(inner.replace(/<[^>]+>|&\w+;|&#\d+;/g, ''))}">${inner}</h2>`)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>') // focusable, to scroll wide tables by keyboard
    .replaceAll('</table>', '</table></div>')
    .replace(/<td>.*?<\/td>/g, (cell) => cell.replace(/<code>.*?<\/code>/g, (name) => name.replaceAll('_', '_<wbr>')))
  return {
    slug,
    title: title?.type === 'heading' ? title.text : slug,
    about: about?.type === 'paragraph' ? about.text.replace(/[`*_]/g, '').replace(/\[(.*?)\]\(.*?\)/g, '$1') : '',
    html,
    headings,
    words: text.toLowerCase(),
  }
}

/** Every guide. */
export const guides: readonly Guide[] = ORDER.map((slug) => guide(slug, texts[`../../docs/${slug}.md`]!))

/** Markdown source of a guide; null if there is none. */
export const guideText = (slug: string): string | null => (ORDER.includes(slug) ? texts[`../../docs/${slug}.md`]! : null)

/** Guides and headings that contain every word of a text. */
export function searchGuides(text: string): { href: string; title: string; about: string }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const holds = (hay: string) => words.every((word) => hay.toLowerCase().includes(word))
  return guides.flatMap(({ slug, title, about, headings, words: all }) => [
    ...(holds(all) ? [{ href: `/docs/${slug}`, title, about }] : []),
    ...headings
      .filter((heading) => holds(heading.text))
      .map(({ id, text: name }) => ({ href: `/docs/${slug}#${id}`, title: name, about: title })),
  ])
}
