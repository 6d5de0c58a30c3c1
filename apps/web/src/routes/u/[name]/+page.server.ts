import { findPerson } from '@augury/platform/account/find-person'
import { error } from '@sveltejs/kit'
import { outcomeName } from '#lib/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'
import { orElse } from '#lib/server/exchange.ts'
import { readTape } from '#lib/server/read-tape.ts'
import type { PageServerLoad } from './$types'

/** Positions and trades on the page. */
const SHOWN = 25

export const load: PageServerLoad = async ({ locals: { exchange, platform }, params }) => {
  const person = await findPerson(platform, params.name)
  if (person === null) error(404, m.person_none())
  const user = person.address
  const [value, positions, closed, traders, tape] = await Promise.all([
    orElse(null, exchange.getValue({ query: { user } })),
    orElse(null, exchange.listPositions({ query: { user, limit: SHOWN, sortBy: 'CURRENT' } })),
    orElse(null, exchange.listClosedPositions({ query: { user, limit: SHOWN } })),
    orElse(null, exchange.getTraders({ body: { users: [user] } })),
    readTape(exchange, platform, { user, limit: SHOWN }),
  ])
  const held = positions?.map((each) => ({
    asset: each.asset,
    title: each.title,
    slug: each.slug,
    eventSlug: each.eventSlug,
    outcome: outcomeName(each.outcome),
    size: each.size,
    average: each.avgPrice,
    price: each.curPrice,
    value: each.currentValue,
    gain: each.cashPnl,
  }))
  const gained = [
    ...(positions ?? []).map(({ cashPnl, realizedPnl }) => cashPnl + realizedPnl),
    ...(closed ?? []).map(({ realizedPnl }) => realizedPnl),
  ]
  return {
    person: {
      address: person.address,
      username: person.username,
      since: person.created_at === null ? null : Date.parse(person.created_at),
    },
    answered: positions !== null,
    value: value?.[0]?.value ?? 0,
    volume: Number(traders?.[0]?.volume ?? 0),
    trades: traders?.[0]?.trades ?? 0,
    gain: gained.reduce((sum, each) => sum + each, 0),
    positions: held ?? [],
    tape: tape?.rows ?? [],
    now: platform.now().getTime(),
  }
}
