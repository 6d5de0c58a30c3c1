import type { ChainView } from '@augury/wire/platform/deposits'
import type { Site } from '../site.ts'
import { placeOf } from './place.ts'

/** Where money is kept, and how the chain stands. */
export async function getChain(site: Site): Promise<ChainView> {
  const place = await placeOf(site)
  return { settlement: place ? 'chain' : 'ledger', place }
}
