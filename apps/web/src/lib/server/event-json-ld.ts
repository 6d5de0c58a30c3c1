import { type EventView, rulesOf } from '#lib/event/event-view.ts'
import { chance } from '#lib/language/numbers.ts'
import { m } from '../paraglide/messages.js'

/** Most outcomes, and length of the rules, in the data for search engines. */
const ANSWERS = 8
const RULES = 1000

/** JSON-LD of an event for search engines: its breadcrumbs, question, and likely or final answers. */
export function eventJsonLd(event: EventView, { origin, locale }: { origin: string; locale: string }): Record<string, unknown> {
  const url = `${origin}/event/${event.slug}`
  const [only] = event.markets.length === 1 ? event.markets : []
  const answers = only
    ? only.result !== null
      ? [{ text: only.result, url }]
      : only.outcomes.map((name, i) => ({
          text: says(name, only.percent === null ? null : i === 0 ? only.percent : 100 - only.percent),
          url,
        }))
    : event.markets.slice(0, ANSWERS).map(({ slug, name, percent, result }) => ({
        text: result === null ? says(name, percent) : `${name}: ${result}`,
        url: `${url}/${slug}`,
      }))
  const listed = answers.map((answer) => ({ '@type': 'Answer', ...answer }))
  const trail = [
    { name: m.facts_markets(), item: origin },
    ...(event.category ? [{ name: event.category.name, item: `${origin}/c/${event.category.slug}` }] : []),
    { name: event.title, item: url },
  ]
  return {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'BreadcrumbList', itemListElement: trail.map((item, i) => ({ '@type': 'ListItem', position: i + 1, ...item })) },
      {
        '@type': 'Question',
        name: event.title,
        text: rulesOf(event, only ?? null).slice(0, RULES),
        url,
        inLanguage: locale,
        image: `${origin}/og/${event.slug}.png`,
        ...(event.startsAt !== null && { dateCreated: new Date(event.startsAt).toISOString() }),
        answerCount: event.markets.length === 1 ? 2 : event.markets.length,
        ...(event.status === 'resolved' ? { acceptedAnswer: listed } : { suggestedAnswer: listed }),
      },
    ],
  }
}

const says = (name: string, percent: number | null) => (percent === null ? name : `${name}: ${chance(percent)}`)
