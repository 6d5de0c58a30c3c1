import type { VenueClient } from '@augury/client/rest'
import type { Hex } from 'viem'
import type { Platform } from '../platform.ts'
import { lockSettings } from './site-settings.ts'

/** What of the exchange naming a recipient needs. */
type Naming = Pick<VenueClient, 'setFeeAccount'>

/** Has the exchange book the fees of orders that come through the deployment to a wallet; '' is the deployment's own. Twice is once. */
export const nameFeeRecipient = (exchange: Naming, wallet: Hex | '') => exchange.setFeeAccount({ body: { address: wallet || null } })

/** The same for the wallet that the settings name: should the exchange hold another, a change ended between it and us. */
export const repeatFeeRecipient = (platform: Platform, exchange: Naming): Promise<unknown> =>
  platform.em().transactional(async (em) => {
    const { general } = await lockSettings(em, 'general')
    await nameFeeRecipient(exchange, general.values.feeRecipientWallet as Hex | '')
  })
