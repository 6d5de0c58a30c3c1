import { getChain } from '@augury/platform/chain/status'
import { readStatus } from '#lib/server/exchange.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ locals: { exchange, platform, site } }) => {
  const [status, chain] = await Promise.all([readStatus(exchange), getChain(site)])
  return { exchange: status, chain, now: platform.now().getTime() }
}
