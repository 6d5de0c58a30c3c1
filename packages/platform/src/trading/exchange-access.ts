import { type VenueClient, venueClient } from '@augury/client/rest'
import type { ApiKey } from '@augury/signing/request-signer'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { type Operator, operatorClient } from '../operator-client.ts'

/** The exchange as a deployment reaches it. */
export interface ExchangeAccess {
  /** Address of the deployment's own wallet, with its checksum. */
  readonly operatorAddress: Hex
  /** As anybody. */
  readonly anybody: VenueClient
  /** As its own wallet; the key is created by the first call. */
  operator(): Promise<Operator>
  /** As the owner of a key. */
  as(apiKey: ApiKey): VenueClient
}

/** Makes the access. Nothing is asked of the exchange before the first call. */
export function openExchange({ clobUrl, platformWalletKey }: { clobUrl: string; platformWalletKey: Hex }): ExchangeAccess {
  let operator: Promise<Operator> | undefined
  return {
    operatorAddress: privateKeyToAddress(platformWalletKey),
    anybody: venueClient({ url: clobUrl }),
    operator() {
      operator ??= operatorClient({ url: clobUrl, walletKey: platformWalletKey }).catch((error) => {
        operator = undefined // a failure is not kept
        throw error
      })
      return operator
    },
    as: (apiKey) => venueClient({ url: clobUrl, apiKey }),
  }
}
