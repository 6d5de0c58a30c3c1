import type { Exchange } from '@augury/engine/exchange'
import type { Books } from '../../base/books.ts'
import type { KeyedQueue } from '../../base/keyed-queue.ts'
import type { Venue } from '../../record/venue.ts'
import type { Budgets } from '../access/budgets.ts'
import type { Keys } from '../access/keys.ts'
import type { Lanes } from '../access/lanes.ts'
import type { Shares } from '../access/shares.ts'
import type { Verifier } from '../access/verifier.ts'
import type { WalletLogin } from '../access/wallet-login.ts'
import type { Wallets } from '../access/wallets.ts'
import type { Catalogue } from '../reference/catalogue.ts'
import type { FeeAccounts } from '../reference/fee-accounts.ts'
import type { Markets } from '../reference/markets.ts'
import type { PostedRoots } from '../reference/reference-data.ts'
import type { SiteReader } from '../reference/site-reader.ts'
import type { DeadMan } from '../state/dead-man.ts'
import type { DroppedNotifications } from '../state/dropped-notifications.ts'
import type { LookUps } from '../state/look-ups.ts'
import type { OrderNames } from '../state/order-names.ts'
import type { Retries } from '../state/retries.ts'
import type { UnderWay } from '../state/under-way.ts'

/** The settings that use cases depend on. */
export interface VenueSettings {
  sandbox: boolean
  /** The vault whose deposits alone are credited: where money is real and on a chain. */
  vault?: string | undefined
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
  catalogue: Catalogue
  /** The site that lists the markets; null where the exchange knows none. */
  site: SiteReader | null
  keys: Keys
  wallets: Wallets
  feeAccounts: FeeAccounts
  postedRoots: PostedRoots
  login: WalletLogin
  verifier: Verifier
  lanes: Lanes
  underWay: UnderWay
  lookUps: LookUps
  /** Reads of many things, some at a time for each client. */
  reads: Shares
  orderNames: OrderNames
  retries: Retries
  budgets: Budgets
  deadMan: DeadMan
  /** Gifts of the faucet, one at a time per account: each is in history before the next is checked against the daily limit. */
  gifts: KeyedQueue
  /** Registrations and changes of conditions, one at a time per condition. */
  registrations: KeyedQueue
  dropped: DroppedNotifications
  settings: VenueSettings
  /** Called with a bug that failed only part of a request. */
  onBug(error: unknown): void
}
