import { error } from '@sveltejs/kit'
import { outcomeName } from '#lib/language/outcome-name.ts'
import { m } from '#lib/paraglide/messages.js'
import { nameOf } from '#lib/people/person.ts'
import { shownPosition } from '#lib/server/shown-position.ts'
import type { PageServerLoad } from './$types'

/** Loads a position that its holder shared. */
export const load: PageServerLoad = async ({ locals, params: { name, market }, url }) => {
  const shown = await shownPosition(locals, { name, market, url })
  if (shown === null) error(404, m.position_none())
  const { position, person } = shown
  const side = position.outcomeIndex === 1 ? '?outcome=no' : ''
  return {
    person: { name: nameOf(person), href: `/u/${person.username ?? person.address}` },
    title: position.title,
    outcome: outcomeName(position.outcome),
    event: `/event/${position.eventSlug}/${position.slug}${side}`,
    image: `/og/position/${person.username ?? person.address}/${position.conditionId}.png${side}`,
  }
}
