import type { Patience } from '@augury/domain/pool'
import type { WebSettings } from '@augury/settings/env'
import { type Budgets, memoryBudgets } from '../budgets/budgets.ts'
import { redisBudgets } from '../budgets/redis-budgets.ts'
import { cachedLists } from '../cache/cached-lists.ts'
import { openGenerations } from '../cache/generations.ts'
import { listPrefix } from '../cache/list-prefix.ts'
import { Vault } from '../crypto/vault.ts'
import { type AccountFeeds, openAccountFeeds } from '../exchange/account-feeds.ts'
import { type ExchangeAccess, openExchange } from '../exchange/exchange-access.ts'
import { openWakeUps, type WakeUps } from '../notifications/wake-ups.ts'
import { type BlobStore, openBlobs } from '../outbound/blob-store.ts'
import { type Mailer, openMailer } from '../outbound/mailer.ts'
import type { OnRedis, Redis } from '../outbound/redis.ts'
import { type Background, openBackground } from './background.ts'
import { openPlatform, type Platform } from './platform.ts'
import { openSessionReads, type SessionReads } from './session-reads.ts'

/** The settings that use cases of a site depend on. */
export type SiteSettings = Pick<
  WebSettings,
  | ('mode' | 'databaseUrl' | 'origin' | 'chainId' | 'keyRing' | 'schedulerSecret' | 'adminWallets' | 'rpcUrl')
  | ('dataDir' | 'openrouterUrl' | 'swapUrl' | 'uploadsUrl')
  | ('clobUrl' | 'publicClobUrl' | 'platformWalletKey')
> &
  Partial<
    Pick<
      WebSettings,
      | ('redisUrl' | 'smtpUrl' | 'mailFrom' | 'passkeyRpId')
      | ('settlement' | 'vaultAddress' | 'collateralAddress' | 'confirmations' | 'minDeposit' | 'withdrawTwoAdminsAbove')
      | ('chainName' | 'chainPublicRpc' | 'chainExplorer' | 'chainCoin')
    >
  >

/** An open deployment: the platform, and everything needed to authenticate and serve members. */
export interface Site extends Platform {
  readonly settings: SiteSettings
  /** Seals secrets for the database. */
  readonly vault: Vault
  readonly budgets: Budgets
  /** Access to the exchange, for members and for the deployment itself. */
  readonly exchange: ExchangeAccess
  readonly sessionReads: SessionReads
  readonly wakeUps: WakeUps
  /** Live orders and trades of members, over shared connections of this process. */
  readonly accountFeeds: AccountFeeds
  /** Redis of the deployment; null without one. */
  readonly redis: Redis | null
  /** Sends e-mail to members; null without a mail server. */
  readonly mailer: Mailer | null
  /** Uploaded images. */
  readonly blobs: BlobStore
  /** Work that outlasts the request it was asked for by. */
  readonly background: Background
}

/** Options for tests, and who hears of Redis. */
export interface SiteOptions {
  onRedis?: OnRedis
  now?: () => Date
  budgets?: Budgets
}

/** No page waits longer: a frozen database is reported, and no list of admins takes as long. */
const PATIENCE: Patience = { answerMs: 10_000, betweenMs: 10_000 }

/** Opens the site over a migrated `platform` database. Connects on first use. */
export async function openSite(settings: SiteSettings, { now, budgets, onRedis }: SiteOptions = {}): Promise<Site> {
  const platform = await openPlatform(settings.databaseUrl, now, PATIENCE)
  const wakeUps = openWakeUps(settings.databaseUrl)
  const exchange = openExchange(settings)
  const sessionReads = openSessionReads(settings.databaseUrl)
  const accountFeeds = openAccountFeeds(settings.clobUrl, exchange.watcher)
  // Its client is hundreds of modules, which a deployment without Redis does not load.
  const redis = settings.redisUrl ? (await import('../outbound/redis.ts')).openRedis(settings.redisUrl, onRedis) : null
  const generations = openGenerations(settings.databaseUrl)
  const background = openBackground()
  return {
    ...platform,
    lists: cachedLists({ generations, redis, prefix: listPrefix(settings.origin), now: platform.now }),
    redis,
    settings,
    vault: new Vault(settings.keyRing),
    budgets: budgets ?? (redis ? redisBudgets(redis, `augury:${new URL(settings.origin).host}:`) : memoryBudgets()),
    exchange,
    sessionReads,
    wakeUps,
    accountFeeds,
    mailer: openMailer(settings),
    blobs: openBlobs(settings),
    background,
    async close() {
      await background.close()
      accountFeeds.close()
      redis?.close()
      wakeUps.close()
      generations.close()
      await Promise.all([sessionReads.close(), platform.close()])
    },
  }
}
