import { readTape } from '#lib/server/read-tape.ts'
import type { PageServerLoad } from './$types'

/** Trades per page. */
const SHOWN = 50
/** Selectable minimum values, in USDC. */
const VALUES = ['10', '100', '1000']

export const load: PageServerLoad = async ({ locals: { exchange, platform }, url }) => {
  const from = VALUES.find((each) => each === url.searchParams.get('from')) ?? null
  const cursor = url.searchParams.get('after')?.slice(0, 200)
  const query = { ...(from !== null && { min_usdc: from }), ...(cursor && { next_cursor: cursor }), limit: SHOWN }
  return { from, values: VALUES, tape: await readTape(exchange, platform, query), now: platform.now().getTime() }
}
