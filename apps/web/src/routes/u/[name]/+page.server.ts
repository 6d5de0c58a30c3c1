import { findPerson } from '@augury/platform/account/find-person'
import { hiddenAmong } from '@augury/platform/events/event-by-slug'
import { pictureIn, picturesOfMarkets } from '@augury/platform/pictures/market-pictures'
import { error } from '@sveltejs/kit'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'
import { ownTapeRow } from '#lib/people/tape.ts'
import { withFallback } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

/** Positions and trades on the page. */
const SHOWN = 25

export const load: PageServerLoad = async ({ locals: { exchange, platform }, params }) => {
  const person = await findPerson(platform, params.name)
  if (person === null) error(404, m.person_none())
  const user = person.address
  const [worth, positions, traders, trades] = await Promise.all([
    withFallback(null, exchange.getValue({ query: { user } })),
    withFallback(null, exchange.listPositions({ query: { user, limit: SHOWN, sortBy: 'CURRENT' } })),
    withFallback(null, exchange.getTraders({ body: { users: [user] } })),
    withFallback(null, exchange.listActivity({ query: { user, type: 'TRADE', limit: SHOWN } })),
  ])
  const total = worth?.[0]
  // What is held in hidden events counts in the sums and is not listed.
  const hidden = await hiddenAmong(
    platform,
    [...(positions ?? []), ...(trades ?? [])].map(({ eventSlug }) => eventSlug),
  )
  const isListed = ({ eventSlug }: { eventSlug: string }) => !hidden.has(eventSlug)
  const pictures = await picturesOfMarkets(
    platform,
    [...(positions ?? []), ...(trades ?? [])].map(({ conditionId }) => conditionId),
  )
  const held = positions?.filter(isListed).map((each) => ({
    asset: each.asset,
    picture: pictureIn(pictures, each),
    title: each.title,
    slug: each.slug,
    eventSlug: each.eventSlug,
    outcome: outcomeName(each.outcome),
    size: each.size,
    average: each.avgPrice,
    price: each.curPrice,
    value: each.currentValue,
    gain: each.priced ? each.cashPnl : null,
  }))
  return {
    person: {
      address: person.address,
      username: person.username,
      since: person.created_at === null ? null : Date.parse(person.created_at),
    },
    answered: positions !== null,
    // Without a response of the exchange the value is unknown, not zero.
    value: total?.value ?? null,
    volume: traders?.[0] ? Number(traders[0].volume) : null,
    count: traders?.[0]?.trades ?? null,
    gain: total?.profit ?? null,
    positions: held ?? [],
    trades: trades?.filter(isListed).map((trade) => ownTapeRow(trade, person.username, pictureIn(pictures, trade))) ?? null,
    now: platform.now().getTime(),
  }
}
