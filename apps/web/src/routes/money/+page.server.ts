import type { Member } from '@augury/platform/authorization/viewer'
import { vaultOf } from '@augury/platform/chain/place'
import { chainSince, getDepositAddress, listDeposits } from '@augury/platform/portfolio/deposits'
import { getFunds, listOwnActivity } from '@augury/platform/portfolio/funds'
import { settingsOf } from '@augury/platform/settings/site-settings'
import type { Site } from '@augury/platform/site/site'
import { swapOffer } from '@augury/platform/swap/quote-swap'
import { DAILY } from '@augury/platform/withdrawals/bounds'
import { listWithdrawals } from '@augury/platform/withdrawals/request-withdrawal'
import type { Activity } from '@augury/wire/data'
import { ServiceError } from '@augury/wire/service-error'
import { nullIfAway } from '#lib/server/exchange.ts'
import { requireMember } from '#lib/server/require-member.ts'
import type { PageServerLoad } from './$types'

const SHOWN = 50

/** Loads the latest transfers: withdrawals from the platform, deposits from the chain, or from the exchange where money is kept by the ledger alone. */
export const load: PageServerLoad = async ({ locals: { site, viewer }, url }) => {
  const member = requireMember(viewer, url)
  const [known, { depositText, supportUrl }, swap, withdrawals, chain] = await Promise.all([
    nullIfAway(
      Promise.all([
        getFunds(site, member),
        listOwnActivity(site, member, { query: { market: [], type: ['DEPOSIT'], limit: SHOWN + 1, offset: 0 } }),
      ]),
    ),
    settingsOf(site, 'general'),
    swapOffer(site),
    listWithdrawals(site, member, { query: { limit: SHOWN + 1, offset: 0 } }),
    onChain(site, member),
  ])
  const [funds, deposits] = known ?? [null, []]
  const transfers = [
    ...withdrawals.map(({ id, amount, status, held_until, created_at, tx_hash }) => {
      const at = Date.parse(created_at)
      return { kind: 'withdrawal' as const, id, usdc: Number(amount) / 1e6, status, heldUntil: held_until, at, transaction: tx_hash }
    }),
    ...(chain?.arrived ?? []),
    ...deposits.filter(({ timestamp }) => chain === null || chain.since === null || timestamp * 1000 < chain.since).map(byHand),
  ].sort((a, b) => b.at - a.at)
  return {
    funds,
    payingIn: { how: depositText, support: supportUrl },
    swap,
    transfers: transfers.slice(0, SHOWN),
    more: transfers.length > SHOWN,
    daily: DAILY,
    chain: chain && { place: chain.place, deposits: chain.deposits },
    now: site.now().getTime(),
  }
}

/** A deposit that the ledger alone knows. */
const byHand = ({ transactionHash, usdcSize, timestamp }: Activity) => ({
  kind: 'deposit' as const,
  id: transactionHash,
  usdc: usdcSize,
  status: 'settled' as const,
  heldUntil: null,
  at: timestamp * 1000,
  transaction: null,
})

/** The member's deposits on the chain, and where they go; null where money is kept by the ledger alone. */
async function onChain(site: Site, member: Member) {
  if (!vaultOf(site.settings)) return null
  const [place, deposits, since] = await Promise.all([
    // No address is shown until it is known that it can be swept.
    getDepositAddress(site, member).catch((error) => {
      if (error instanceof ServiceError && error.code === 'chain_unavailable') return null
      throw error
    }),
    listDeposits(site, member, { query: { limit: SHOWN + 1, offset: 0 } }),
    chainSince(site),
  ])
  const arrived = deposits.flatMap(({ number, amount, credited_at, tx_hash }) =>
    number === null || credited_at === null
      ? []
      : [
          {
            kind: 'deposit' as const,
            id: `deposit-${number}`,
            usdc: Number(amount) / 1e6,
            status: 'settled' as const,
            heldUntil: null,
            at: Date.parse(credited_at),
            transaction: tx_hash,
          },
        ],
  )
  return { place, deposits, since, arrived }
}
