import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { anonymous } from '@augury/platform/identity/viewer'
import { chance, volume } from '#lib/language/numbers.ts'
import { day } from '#lib/language/times.ts'
import { eventCard } from '#lib/lists/event-card.ts'
import { m } from '#lib/paraglide/messages.js'
import { pictureResponse, pictureSite, sharePicture } from '#lib/server/share-picture.ts'
import type { RequestHandler } from './$types'

/** The sharing image of an event, with its leading outcomes. */
export const GET: RequestHandler = async ({ locals: { brand, clientAddress, platform, site }, params: { slug } }) => {
  const card = eventCard(await eventBySlug(platform, anonymous, { slug }))
  const rows = card.rows.map((row) => ({
    name: card.markets > 1 ? row.name : row.result === null ? row.outcomes[0] : m.resolved(),
    chance: row.result ?? chance(row.percent),
    percent: row.percent,
  }))
  const foot = [volume(card.volume), card.endsAt === null ? '' : day(card.endsAt)].filter(Boolean).join('  ·  ')
  const content = { site: pictureSite(site, brand), title: card.title, rows, foot }
  const picture = await sharePicture(slug, content, { now: platform.now().getTime(), address: clientAddress })
  return pictureResponse(picture)
}
