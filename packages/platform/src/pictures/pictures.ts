import { artPath } from '@augury/art/address'
import { artOfEvent, artOfOutcome, artOfPerson } from '@augury/art/choose'

/** An event as far as its picture goes: `title` in its own language, `tags` as slugs, the main category first. */
export interface PicturedEvent {
  title: string
  icon_url: string
  tags: readonly string[]
}

/** Only stored pictures are shown: any other address would be requested by every reader of the page. */
const STORED = /^\/uploads\/\w[\w.-]*$/
/** Uploads are stored in two sizes, of which lists take the small one. */
const sized = (address: string) => address.replace(/^(\/uploads\/[0-9a-f]{64})\.webp$/, '$1-128.webp')
const isStored = (address: string) => STORED.test(address)

/** Most remembered choices. A list asks for hundreds of pictures, and choosing takes many comparisons. */
const MOST = 20_000
const chosen = new Map<string, string>()
function remember(key: string, choose: () => string): string {
  const known = chosen.get(key)
  if (known !== undefined) return known
  if (chosen.size >= MOST) chosen.clear()
  const path = artPath(choose())
  chosen.set(key, path)
  return path
}

/** Returns the path of an event's picture: its own one, else drawn art. Never empty. */
export const pictureOfEvent = ({ icon_url, title, tags }: PicturedEvent): string =>
  isStored(icon_url) ? sized(icon_url) : remember(`event ${JSON.stringify([title, tags])}`, () => artOfEvent({ title, tags }))

/** Returns the path of the picture of one of an event's markets; `single`: it is the only one, and shares the event's. Never empty. */
export function pictureOfMarket(market: { name: string; icon_url: string; single: boolean }, event: PicturedEvent): string {
  if (isStored(market.icon_url)) return sized(market.icon_url)
  if (market.single) return pictureOfEvent(event)
  const { title, tags } = event
  return remember(`market ${JSON.stringify([market.name, title, tags])}`, () => artOfOutcome(market.name, { title, tags }))
}

/** Returns the path of a member's picture, or that of any address. Never empty. */
export const pictureOfPerson = (person: { username: string | null; address: string; image: string }): string =>
  isStored(person.image) ? sized(person.image) : artPath(artOfPerson(person))
