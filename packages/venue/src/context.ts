import type { Exchange } from '@augury/engine/exchange'
import type { Books } from './books.ts'
import type { Budgets } from './budgets.ts'
import type { DeadMan } from './dead-man.ts'
import type { DroppedNotifications } from './dropped-notifications.ts'
import type { FeeAccounts } from './fee-accounts.ts'
import type { Keys } from './keys.ts'
import type { Lanes } from './lanes.ts'
import type { LookUps } from './look-ups.ts'
import type { Markets } from './metadata.ts'
import type { Gifts } from './operations/faucet.ts'
import type { OrderNames } from './order-names.ts'
import type { Venue } from './venue.ts'
import type { Verifier } from './verifier.ts'
import type { WalletLogin } from './wallet-login.ts'
import type { Wallets } from './wallets.ts'

/** What of the settings use cases depend on. */
export interface VenueSettings {
  sandbox: boolean
  chainId: number
  /** Whether only accounts with a registered wallet may trade. */
  requireProxyWallet: boolean
  /** Whether the established signing domains are accepted. */
  compatAuth: boolean
  /** Wallets, in lower case, that may have keys of scope venue. */
  venueAddresses: readonly string[]
  /** Wallets, in lower case, that may have keys of scope operator. */
  operatorAddresses: readonly string[]
}

/** Everything a use case may use. */
export interface Context {
  venue: Venue
  /** `venue.exchange`: state after the last applied row. */
  exchange: Exchange
  markets: Markets
  books: Books
  keys: Keys
  wallets: Wallets
  feeAccounts: FeeAccounts
  login: WalletLogin
  verifier: Verifier
  lanes: Lanes
  lookUps: LookUps
  orderNames: OrderNames
  budgets: Budgets
  deadMan: DeadMan
  /** What the faucet gave. */
  gifts: Gifts
  dropped: DroppedNotifications
  settings: VenueSettings
  /** Called with an unexpected failure that ended only part of a request. */
  onBug(error: unknown): void
}
