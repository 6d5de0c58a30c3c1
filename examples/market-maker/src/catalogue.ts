import { readFileSync } from 'node:fs'
import type { Catalogue } from './market-maker.ts'

interface Row {
  slug?: string
  outcomePrices?: string
  volumeNum?: number
}

/** Prices and volumes by market slug, from a file in the discovery format. Rows without a price are left out. */
export function readCatalogue(path: string): Catalogue {
  const events = JSON.parse(readFileSync(path, 'utf8')) as { markets?: Row[] }[]
  const known = new Map<string, { price: number; volume: number }>()
  for (const { slug, outcomePrices, volumeNum } of events.flatMap((event) => event.markets ?? [])) {
    const price = Number((JSON.parse(outcomePrices ?? '[]') as unknown[])[0])
    if (slug && Number.isFinite(price)) known.set(slug, { price, volume: volumeNum ?? 0 })
  }
  return known
}
