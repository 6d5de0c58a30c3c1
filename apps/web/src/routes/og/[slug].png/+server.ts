import { eventBySlug } from '@augury/platform/events/event-by-slug'
import { anonymous } from '@augury/platform/identity/viewer'
import { eventCard } from '#lib/event-card.ts'
import { chance, volume } from '#lib/numbers.ts'
import { pictureResponse, sharePicture } from '#lib/server/share-picture.ts'
import { day } from '#lib/times.ts'
import type { RequestHandler } from './$types'

/** The picture of an event, with its leading outcomes. */
export const GET: RequestHandler = async ({ locals: { brand, platform }, params: { slug } }) => {
  const card = eventCard(await eventBySlug(platform, anonymous, { slug }))
  const rows = card.rows.map((row) => ({
    name: card.markets === 1 ? row.outcomes[0] : row.name,
    chance: row.result ?? chance(row.percent),
    percent: row.percent,
  }))
  const foot = [volume(card.volume), card.endsAt === null ? '' : day(card.endsAt)].filter(Boolean).join('  ·  ')
  const picture = await sharePicture(slug, { site: brand.name, title: card.title, rows, foot }, platform.now().getTime())
  return pictureResponse(picture)
}
