import type { VenueClient } from '@augury/client/rest'
import type { Hex } from 'viem'
import type { Platform } from '../site/platform.ts'
import { lockSettings } from './site-settings.ts'

/** The part of the exchange's client that naming a recipient needs. */
type Naming = Pick<VenueClient, 'setFeeAccount'>

/** Has the exchange credit the fees of the deployment's orders to a wallet; '' is the deployment's own. Idempotent. */
export const nameFeeRecipient = (exchange: Naming, wallet: Hex | '') => exchange.setFeeAccount({ body: { address: wallet || null } })

/** The same for the wallet of the settings: repairs a change that was interrupted between the exchange and us. */
export const repeatFeeRecipient = (platform: Platform, exchange: Naming): Promise<unknown> =>
  platform.em().transactional(async (em) => {
    const { general } = await lockSettings(em, 'general')
    await nameFeeRecipient(exchange, general.values.feeRecipientWallet as Hex | '')
  })
