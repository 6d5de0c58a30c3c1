import { overwriteGetZone, readZone, UTC, ZONE_COOKIE } from './zone.ts'

const YEAR_SECONDS = 31_536_000

/** The zone of this page: the one in which it was rendered, and that of the browser once it is alive. */
let zone = $state(UTC)

/** Writes times in the zone in which the server wrote this page, so that they stay as they are until it is alive. */
export function readPageZone(): void {
  zone = readZone(document.documentElement.dataset.zone) ?? UTC
  overwriteGetZone(() => zone)
}

/** Writes times in the zone of the browser, and remembers it for the pages that the server renders. */
export function useReaderZone(): void {
  const own = readZone(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  if (own === null || own === zone) return
  zone = own
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${ZONE_COOKIE}=${own}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
}
