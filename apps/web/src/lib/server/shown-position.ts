import { findPerson } from '@augury/platform/account/find-person'
import { hiddenAmong } from '@augury/platform/events/event-by-slug'
import { pictureIn, picturesOfMarkets } from '@augury/platform/pictures/market-pictures'
import type { Position } from '@augury/wire/data'
import { cents, gain, gainSide, percentChange, shares } from '#lib/language/numbers.ts'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'
import { nameOf } from '#lib/people/person.ts'
import { withFallback } from './exchange.ts'
import type { answerPicture } from './share-picture.ts'

/** A position that its holder shares, and the person. Positions are public. */
interface ShownPosition {
  person: { address: string; username: string | null }
  position: Position
  /** Path of the picture of the outcome. */
  picture: string
}

const CONDITION = /^0x[0-9a-f]{64}$/i

/**
 * Reads the position of a person, by name or address, in one outcome of a market; null when there is none, when the event is hidden, and while the
 * exchange does not answer.
 */
export async function shownPosition(
  { exchange, platform }: Pick<App.Locals, 'exchange' | 'platform'>,
  { name, market, url }: { name: string; market: string; url: URL },
): Promise<ShownPosition | null> {
  const person = CONDITION.test(market) ? await findPerson(platform, name) : null
  if (person === null) return null
  const outcome = url.searchParams.get('outcome') === 'no' ? 1 : 0
  const held = await withFallback(null, exchange.listPositions({ query: { user: person.address, market } }))
  const position = held?.find(({ outcomeIndex }) => outcomeIndex === outcome)
  if (!position || (await hiddenAmong(platform, [position.eventSlug])).has(position.eventSlug)) return null
  const pictures = await picturesOfMarkets(platform, [position.conditionId])
  return { person, position, picture: pictureIn(pictures, position) }
}

/** The sharing image of a position: the profit, and what it was bought for and is worth. Without a price there is no profit to show. */
export function positionPicture({ person, position, picture }: ShownPosition): Parameters<typeof answerPicture>[2] {
  const { title, outcome, avgPrice, curPrice, priced, cashPnl, percentPnl, size } = position
  const price = curPrice === null ? '–' : cents(Math.round(curPrice * 10_000))
  const facts = { outcome: outcomeName(outcome), average: cents(Math.round(avgPrice * 10_000)) }
  return {
    title,
    art: picture,
    ...(priced && { figure: { text: `${gain(cashPnl)}  ${percentChange(percentPnl / 100)}`, side: gainSide(cashPnl) } }),
    rows: [{ name: m.position_bought(facts), chance: m.position_now({ price }), percent: curPrice === null ? null : curPrice * 100 }],
    foot: m.position_of({ name: nameOf(person), shares: shares(Math.round(size * 100)) }),
  }
}
