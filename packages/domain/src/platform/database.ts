import type { MikroORM } from '@mikro-orm/postgresql'
import { type Database, migrate, openOrm } from '../orm.ts'
import type { Patience } from '../pool.ts'
import { AccountKey } from './account-key.entity.ts'
import { AccountRecovery } from './account-recovery.entity.ts'
import { AdminClaim } from './admin-claim.entity.ts'
import { AdminWallet } from './admin-wallet.entity.ts'
import { AffiliateShare } from './affiliate-share.entity.ts'
import { AuditEntry } from './audit-entry.entity.ts'
import { AuditHead } from './audit-head.entity.ts'
import { Bookmark } from './bookmark.entity.ts'
import { CacheTag } from './cache-tag.entity.ts'
import {
  ChainAddress,
  ChainArrival,
  ChainClaim,
  ChainCursor,
  ChainDeposit,
  ChainIntent,
  ChainRoot,
  ChainStatus,
  ChainWallet,
} from './chain/chain.entities.ts'
import { Comment } from './comment.entity.ts'
import { CommentMark } from './comment-mark.entity.ts'
import { EarlierPrices } from './earlier-prices.entity.ts'
import { EmailVerification } from './email-verification.entity.ts'
import { Event } from './event.entity.ts'
import { EventDraft } from './event-draft.entity.ts'
import { EventSearch } from './event-search.entity.ts'
import { EventSeries } from './event-series.entity.ts'
import { EventTag } from './event-tag.entity.ts'
import { Market } from './market.entity.ts'
import { MarketContext } from './market-context.entity.ts'
import { ModelCall } from './model-call.entity.ts'
import { NoticeCursor } from './notice-cursor.entity.ts'
import { Notification } from './notification.entity.ts'
import { Outcome } from './outcome.entity.ts'
import { Passkey } from './passkey.entity.ts'
import { PasskeyChallenge } from './passkey-challenge.entity.ts'
import { PendingSecondFactor } from './pending-second-factor.entity.ts'
import { PriceFeed } from './price-feed.entity.ts'
import { PriceMark } from './price-mark.entity.ts'
import { PriceMarkCorrection } from './price-mark-correction.entity.ts'
import { PricePoint } from './price-point.entity.ts'
import { PriceRollup } from './price-rollup.entity.ts'
import { PriceSeries } from './price-series.entity.ts'
import { RecoveryCode } from './recovery-code.entity.ts'
import { Referral } from './referral.entity.ts'
import { ResolutionStep } from './resolution-step.entity.ts'
import { SealedSetting } from './sealed-setting.entity.ts'
import { Session } from './session.entity.ts'
import { SettingsVersion } from './settings-version.entity.ts'
import { Settlement } from './settlement.entity.ts'
import { SignInNonce } from './sign-in-nonce.entity.ts'
import { SiteDay } from './site-day.entity.ts'
import { SwapRequest } from './swap-request.entity.ts'
import { SyncFailure } from './sync-failure.entity.ts'
import { SyncJob } from './sync-job.entity.ts'
import { SyncRun } from './sync-run.entity.ts'
import { FormerTag, Tag, TagParent } from './tag.entity.ts'
import { Theme } from './theme.entity.ts'
import { TradingContext } from './trading-context.entity.ts'
import { TradingCredential } from './trading-credential.entity.ts'
import { Translation } from './translation.entity.ts'
import { TwoFactor } from './two-factor.entity.ts'
import { User } from './user.entity.ts'
import { Wallet } from './wallet.entity.ts'
import { Withdrawal } from './withdrawal.entity.ts'

/** Members and how they sign in. */
const people = [
  AccountKey,
  AccountRecovery,
  EmailVerification,
  Passkey,
  PasskeyChallenge,
  PendingSecondFactor,
  RecoveryCode,
  Session,
  SignInNonce,
  TwoFactor,
  User,
  Wallet,
]

/** Admins, settings, and the audit log. */
const house = [AdminClaim, AdminWallet, AuditEntry, AuditHead, SealedSetting, SettingsVersion, SiteDay, Theme]

/** Drafts, and translations. */
const making = [EventDraft, EventSeries, MarketContext, ModelCall, Translation]

/** What members keep here, and what they are notified of. */
const belongings = [
  AffiliateShare,
  Bookmark,
  Comment,
  CommentMark,
  NoticeCursor,
  Notification,
  Referral,
  SwapRequest,
  TradingContext,
  TradingCredential,
  Withdrawal,
]

/** Reference prices, and the resolution of markets. */
const endings = [PriceFeed, PriceMark, PriceMarkCorrection, PriceSeries, ResolutionStep, Settlement]

/** What a settler keeps of the chain: the schema `chain`. */
const chain = [ChainAddress, ChainArrival, ChainClaim, ChainCursor, ChainDeposit, ChainIntent, ChainRoot, ChainStatus, ChainWallet]

/** The database of a deployment. */
export const platformDatabase: Database = {
  entities: [
    CacheTag,
    EarlierPrices,
    Event,
    EventSearch,
    EventTag,
    FormerTag,
    Market,
    Outcome,
    PricePoint,
    PriceRollup,
    SyncFailure,
    SyncJob,
    SyncRun,
    Tag,
    TagParent,
    ...people,
    ...house,
    ...making,
    ...belongings,
    ...endings,
    ...chain,
  ],
  migrations: `${import.meta.dirname}/migrations`,
  replaced: 'Migration20261128172000_proxy_wallets_are_safes',
}

/** Connects to a `platform` database on first use. Fork its entity manager for each request; the global one refuses to work. */
export const openPlatformOrm = (databaseUrl: string, patience?: Patience): Promise<MikroORM> =>
  openOrm(platformDatabase, databaseUrl, patience)

/** Migrates a `platform` database to the newest migration. */
export const migratePlatform = (databaseUrl: string): Promise<void> => migrate(platformDatabase, databaseUrl)
