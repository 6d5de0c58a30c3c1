import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { answerPicture } from '#lib/server/share-picture.ts'
import { positionPicture, shownPosition } from '#lib/server/shown-position.ts'
import type { RequestHandler } from './$types'

/** The sharing image of a position that a person holds in the outcome that `outcome` names. */
export const GET: RequestHandler = async ({ locals, params: { name, market }, url }) => {
  const shown = await shownPosition(locals, { name, market, url })
  if (shown === null) error(404, m.position_none())
  const { asset, curPrice, size } = shown.position
  // Another price or size is another picture.
  return answerPicture(locals, `position ${shown.person.address} ${asset} ${curPrice} ${size}`, positionPicture(shown))
}
