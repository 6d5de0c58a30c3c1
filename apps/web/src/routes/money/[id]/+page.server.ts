import { chainOfSite, vaultOf } from '@augury/platform/chain/place'
import { ownDeposit } from '@augury/platform/portfolio/deposits'
import { listOwnActivity } from '@augury/platform/portfolio/funds'
import { listWithdrawals } from '@augury/platform/withdrawals/request-withdrawal'
import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { nullIfAway } from '#lib/server/exchange.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { PageServerLoad } from './$types'

const PAGE = { withdrawals: 100, deposits: 500 } as const

/** What a transfer is not. */
const nothing = { withdrawal: null, deposit: null, arrived: null }

/** Loads a transfer of the member. Not found if it is another's, or possibly a deposit while the exchange is unavailable. */
export const load: PageServerLoad = async ({ locals: { site, viewer }, params, url }) => {
  const member = requireMember(viewer, url)
  const { settings } = site
  const chain = vaultOf(settings) && { explorer: chainOfSite(settings)?.blockExplorerUrls?.[0] ?? null }
  const number = /^deposit-([1-9]\d{0,14})$/.exec(params.id)?.[1]
  if (number !== undefined) {
    const arrived = await ownDeposit(site, member, Number(number))
    if (!arrived) error(404, m.error_transfer())
    return { ...nothing, chain, arrived }
  }
  for (let offset = 0; ; offset += PAGE.withdrawals) {
    const rows = await listWithdrawals(site, member, { query: { limit: PAGE.withdrawals, offset } })
    const withdrawal = rows.find(({ id }) => id === params.id)
    if (withdrawal) return { ...nothing, chain, withdrawal }
    if (rows.length < PAGE.withdrawals) break
  }
  const query = { market: [], type: ['DEPOSIT' as const], limit: PAGE.deposits, offset: 0 }
  const deposits = await nullIfAway(listOwnActivity(site, member, { query }))
  if (deposits === null) return { ...nothing, chain }
  const deposit = deposits.find(({ transactionHash }) => transactionHash === params.id)
  if (!deposit) error(404, m.error_transfer())
  return { ...nothing, chain, deposit }
}
