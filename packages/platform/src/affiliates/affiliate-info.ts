import type { Output } from '@augury/wire/operation'
import type { affiliateOperations } from '@augury/wire/platform/affiliates'
import { getAddress, type Hex, zeroAddress } from 'viem'
import type { Viewer } from '../identity/viewer.ts'
import { readSettings } from '../settings/site-settings.ts'
import type { Site } from '../site.ts'

/** What trading costs, and who gets a part of it: the deployment, and whoever referred the member who asks. */
export async function affiliateInfo(site: Site, viewer: Viewer): Promise<Output<typeof affiliateOperations.affiliateInfo>> {
  const em = site.em()
  const { general, affiliate } = await readSettings(em, ['general', 'affiliate'])
  const terms = affiliate.values
  const [referral]: { address: Hex }[] =
    viewer.kind === 'anonymous'
      ? []
      : await em.execute(`select address from referral join users on users.id = referrer_id where user_id = ? and status <> 'taken'`, [
          viewer.id,
        ])
  return {
    referrerAddress: getAddress(general.values.feeRecipientWallet || site.exchange.operatorAddress),
    affiliateAddress: referral ? getAddress(referral.address) : zeroAddress,
    affiliateSharePercent: sharePercent(terms),
    tradeFeeBps: terms.tradeFeeBps,
  }
}

/** Whole percents of a fee. */
export const sharePercent = ({ affiliateShareBps }: { affiliateShareBps: number }): number => Math.floor(affiliateShareBps / 100)
