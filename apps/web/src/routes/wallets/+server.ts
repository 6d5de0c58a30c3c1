import { chainOfSite } from '@augury/platform/chain/place'
import { walletConnectId } from '#lib/server/wallet-connect.ts'
import type { WalletOffer } from '#lib/wallet/wallet-offer.ts'
import type { RequestHandler } from './$types'

/** What a page that lets people choose a wallet needs to know. */
export const GET: RequestHandler = ({ locals: { brand, settings } }) =>
  Response.json({ chain: chainOfSite(settings), walletConnect: walletConnectId(settings, brand) } satisfies WalletOffer)
