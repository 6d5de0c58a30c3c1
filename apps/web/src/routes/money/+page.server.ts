import { getFunds, listOwnActivity } from '@augury/platform/portfolio/funds'
import { settingsOf } from '@augury/platform/settings/site-settings'
import { swapOffer } from '@augury/platform/swap/quote-swap'
import { listWithdrawals } from '@augury/platform/withdrawals/request-withdrawal'
import { nullIfAway } from '#lib/server/exchange.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { PageServerLoad } from './$types'

const SHOWN = 50

/** Loads the latest transfers: withdrawals from the platform, deposits from the exchange if it is available. */
export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const [known, { depositText, supportUrl }, swap, withdrawals] = await Promise.all([
    nullIfAway(
      Promise.all([
        getFunds(site, member),
        listOwnActivity(site, member, { query: { market: [], type: ['DEPOSIT'], limit: SHOWN + 1, offset: 0 } }),
      ]),
    ),
    settingsOf(site, 'general'),
    swapOffer(site),
    listWithdrawals(site, member, { query: { limit: SHOWN + 1, offset: 0 } }),
  ])
  const [funds, deposits] = known ?? [null, []]
  const transfers = [
    ...withdrawals.map(({ id, amount, status, held_until, created_at }) => {
      const at = Date.parse(created_at)
      return { kind: 'withdrawal' as const, id, usdc: Number(amount) / 1e6, status, heldUntil: held_until, at }
    }),
    ...deposits.map(({ transactionHash, usdcSize, timestamp }) => {
      const at = timestamp * 1000
      return { kind: 'deposit' as const, id: transactionHash, usdc: usdcSize, status: 'settled' as const, heldUntil: null, at }
    }),
  ].sort((a, b) => b.at - a.at)
  return {
    funds,
    payingIn: { how: depositText, support: supportUrl },
    swap,
    transfers: transfers.slice(0, SHOWN),
    more: transfers.length > SHOWN,
    now: site.now().getTime(),
  }
}
