import { tables } from '@augury/domain/platform/tables'
import type { Output } from '@augury/wire/operation'
import type { affiliateOperations } from '@augury/wire/platform/affiliates'
import { getAddress, zeroAddress } from 'viem'
import type { Viewer } from '../authorization/viewer.ts'
import { readSettings } from '../settings/site-settings.ts'
import type { Site } from '../site/site.ts'

/** Trading fees and who shares them: the deployment, and the referrer of the viewer. */
export async function affiliateInfo(site: Site, viewer: Viewer): Promise<Output<typeof affiliateOperations.affiliateInfo>> {
  const em = site.em()
  const { general, affiliate } = await readSettings(em, ['general', 'affiliate'])
  const terms = affiliate.values
  const referral =
    viewer.kind === 'anonymous'
      ? undefined
      : await tables(em)
          .selectFrom('referral')
          .innerJoin('users', 'users.id', 'referral.referrer_id')
          .select('address')
          .where('user_id', '=', viewer.id)
          .where('status', '<>', 'taken')
          .executeTakeFirst()
  return {
    referrerAddress: getAddress(general.values.feeRecipientWallet || site.exchange.operatorAddress),
    affiliateAddress: referral ? getAddress(referral.address) : zeroAddress,
    affiliateSharePercent: sharePercent(terms),
    tradeFeeBps: terms.tradeFeeBps,
  }
}

/** The affiliate share in whole percents of a fee. */
const sharePercent = ({ affiliateShareBps }: { affiliateShareBps: number }): number => Math.floor(affiliateShareBps / 100)
