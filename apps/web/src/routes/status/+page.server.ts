import { readStatus } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { exchange, platform } }) => ({
  exchange: await readStatus(exchange),
  now: platform.now().getTime(),
})
