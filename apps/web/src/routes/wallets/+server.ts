import { walletChain } from '#lib/server/wallet-chain.ts'
import { walletConnectId } from '#lib/server/wallet-connect.ts'
import type { WalletOffer } from '#lib/wallet/wallet-offer.ts'
import type { RequestHandler } from './$types'

/** What a page that lets people choose a wallet needs to know. */
export const GET: RequestHandler = ({ locals: { brand, settings } }) =>
  Response.json({ chain: walletChain(settings), walletConnect: walletConnectId(settings, brand) } satisfies WalletOffer)
