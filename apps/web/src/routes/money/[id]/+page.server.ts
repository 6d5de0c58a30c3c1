import { listOwnActivity } from '@augury/platform/portfolio/funds'
import { listWithdrawals } from '@augury/platform/withdrawals/request-withdrawal'
import { error } from '@sveltejs/kit'
import { m } from '#lib/paraglide/messages.js'
import { nullIfAway } from '#lib/server/exchange.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { PageServerLoad } from './$types'

const PAGE = { withdrawals: 100, deposits: 500 } as const

/** Loads a transfer of the member. Not found if it is another's, or possibly a deposit while the exchange is unavailable. */
export const load: PageServerLoad = async ({ locals: { site, viewer }, params, url }) => {
  const member = requireMember(viewer, url)
  for (let offset = 0; ; offset += PAGE.withdrawals) {
    const rows = await listWithdrawals(site, member, { query: { limit: PAGE.withdrawals, offset } })
    const withdrawal = rows.find(({ id }) => id === params.id)
    if (withdrawal) return { withdrawal, deposit: null }
    if (rows.length < PAGE.withdrawals) break
  }
  const query = { market: [], type: ['DEPOSIT' as const], limit: PAGE.deposits, offset: 0 }
  const deposits = await nullIfAway(listOwnActivity(site, member, { query }))
  if (deposits === null) return { withdrawal: null, deposit: null }
  const deposit = deposits.find(({ transactionHash }) => transactionHash === params.id)
  if (!deposit) error(404, m.error_transfer())
  return { withdrawal: null, deposit }
}
