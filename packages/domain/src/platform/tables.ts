import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql'
import { type ColumnType, type GeneratedAlways, type Kysely, type RawBuilder, sql } from 'kysely'
import type { accountKeySchema } from './account-key.entity.ts'
import type { accountRecoverySchema } from './account-recovery.entity.ts'
import type { adminClaimSchema } from './admin-claim.entity.ts'
import type { adminWalletSchema } from './admin-wallet.entity.ts'
import type { affiliateShareSchema } from './affiliate-share.entity.ts'
import type { auditEntrySchema } from './audit-entry.entity.ts'
import type { auditHeadSchema } from './audit-head.entity.ts'
import type { bookmarkSchema } from './bookmark.entity.ts'
import type { cacheTagSchema } from './cache-tag.entity.ts'
import type {
  arrivalSchema,
  addressSchema as chainAddress,
  walletSchema as chainWallet,
  claimSchema,
  cursorSchema,
  depositSchema,
  intentSchema,
  rootSchema,
  statusSchema,
} from './chain/chain.entities.ts'
import type { commentSchema } from './comment.entity.ts'
import type { commentMarkSchema } from './comment-mark.entity.ts'
import type { emailVerificationSchema } from './email-verification.entity.ts'
import type { eventSchema } from './event.entity.ts'
import type { eventDraftSchema } from './event-draft.entity.ts'
import type { eventSearchSchema } from './event-search.entity.ts'
import type { eventSeriesSchema } from './event-series.entity.ts'
import type { eventTagSchema } from './event-tag.entity.ts'
import type { marketSchema } from './market.entity.ts'
import type { marketContextSchema } from './market-context.entity.ts'
import type { modelCallSchema } from './model-call.entity.ts'
import type { noticeCursorSchema } from './notice-cursor.entity.ts'
import type { notificationSchema } from './notification.entity.ts'
import type { outcomeSchema } from './outcome.entity.ts'
import type { passkeySchema } from './passkey.entity.ts'
import type { passkeyChallengeSchema } from './passkey-challenge.entity.ts'
import type { pendingSecondFactorSchema } from './pending-second-factor.entity.ts'
import type { priceFeedSchema } from './price-feed.entity.ts'
import type { priceMarkSchema } from './price-mark.entity.ts'
import type { priceMarkCorrectionSchema } from './price-mark-correction.entity.ts'
import type { pricePointSchema } from './price-point.entity.ts'
import type { priceRollupSchema } from './price-rollup.entity.ts'
import type { priceSeriesSchema } from './price-series.entity.ts'
import type { recoveryCodeSchema } from './recovery-code.entity.ts'
import type { referralSchema } from './referral.entity.ts'
import type { resolutionStepSchema } from './resolution-step.entity.ts'
import type { sealedSettingSchema } from './sealed-setting.entity.ts'
import type { sessionSchema } from './session.entity.ts'
import type { settingsVersionSchema } from './settings-version.entity.ts'
import type { settlementSchema } from './settlement.entity.ts'
import type { signInNonceSchema } from './sign-in-nonce.entity.ts'
import type { siteDaySchema } from './site-day.entity.ts'
import type { swapRequestSchema } from './swap-request.entity.ts'
import type { syncFailureSchema } from './sync-failure.entity.ts'
import type { syncJobSchema } from './sync-job.entity.ts'
import type { syncRunSchema } from './sync-run.entity.ts'
import type { formerTagSchema, tagParentSchema, tagSchema } from './tag.entity.ts'
import type { themeSchema } from './theme.entity.ts'
import type { tradingContextSchema } from './trading-context.entity.ts'
import type { tradingCredentialSchema } from './trading-credential.entity.ts'
import type { translationSchema } from './translation.entity.ts'
import type { twoFactorSchema } from './two-factor.entity.ts'
import type { userSchema } from './user.entity.ts'
import type { walletSchema } from './wallet.entity.ts'
import type { withdrawalSchema } from './withdrawal.entity.ts'

/** The columns of the tables, as the ORM derives them from the entities. */
type Entities = InferKyselyDB<
  | typeof accountKeySchema
  | typeof accountRecoverySchema
  | typeof adminClaimSchema
  | typeof adminWalletSchema
  | typeof affiliateShareSchema
  | typeof auditEntrySchema
  | typeof auditHeadSchema
  | typeof bookmarkSchema
  | typeof cacheTagSchema
  | typeof commentSchema
  | typeof commentMarkSchema
  | typeof emailVerificationSchema
  | typeof eventSchema
  | typeof eventDraftSchema
  | typeof eventSearchSchema
  | typeof eventSeriesSchema
  | typeof eventTagSchema
  | typeof formerTagSchema
  | typeof marketSchema
  | typeof marketContextSchema
  | typeof modelCallSchema
  | typeof noticeCursorSchema
  | typeof notificationSchema
  | typeof outcomeSchema
  | typeof passkeySchema
  | typeof passkeyChallengeSchema
  | typeof pendingSecondFactorSchema
  | typeof priceFeedSchema
  | typeof priceMarkSchema
  | typeof priceMarkCorrectionSchema
  | typeof pricePointSchema
  | typeof priceRollupSchema
  | typeof priceSeriesSchema
  | typeof recoveryCodeSchema
  | typeof referralSchema
  | typeof resolutionStepSchema
  | typeof sealedSettingSchema
  | typeof sessionSchema
  | typeof settingsVersionSchema
  | typeof settlementSchema
  | typeof signInNonceSchema
  | typeof siteDaySchema
  | typeof swapRequestSchema
  | typeof syncFailureSchema
  | typeof syncJobSchema
  | typeof syncRunSchema
  | typeof tagSchema
  | typeof tagParentSchema
  | typeof themeSchema
  | typeof tradingContextSchema
  | typeof tradingCredentialSchema
  | typeof translationSchema
  | typeof twoFactorSchema
  | typeof userSchema
  | typeof walletSchema
  | typeof withdrawalSchema
>

/** The same of the schema `chain`. */
type Chain = InferKyselyDB<
  | typeof arrivalSchema
  | typeof chainAddress
  | typeof chainWallet
  | typeof claimSchema
  | typeof cursorSchema
  | typeof depositSchema
  | typeof intentSchema
  | typeof rootSchema
  | typeof statusSchema
>

/** What the driver gives for a value of an entity. */
type Read<T> = T extends `0x${string}` ? Buffer : T extends number ? ('~driver' extends keyof T ? string : T) : T

/** What the driver takes for it; JSON as a value or as its text. */
type Write<T> = T extends Date
  ? Date | string
  : T extends `0x${string}`
    ? Buffer
    : T extends number
      ? T | ('~driver' extends keyof T ? string : never)
      : T extends object
        ? T | string
        : T

type Column<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<Read<S>, Write<I>, Write<U>> : ColumnType<Read<T>, Write<T>, Write<T>>

type Rows<DB> = { [T in keyof DB]: { [C in keyof DB[T]]: Column<DB[T][C]> } }
type Tables = Rows<Entities> & { [T in keyof Chain as `chain.${T}`]: Rows<Chain>[T] }

/** The tables of a deployment's database, as the driver reads and writes them. */
export type PlatformTables = Omit<Tables, 'event'> & { event: Omit<Tables['event'], 'title_key'> & { title_key: GeneratedAlways<string> } }

/**
 * The query builder over the tables of a deployment's database. It is bound to the transaction of the entity manager, if it has one. Values
 * are the driver's: numbers beyond 32 bits and decimals come as text, bytes as a Buffer.
 */
export const tables = (em: EntityManager): Kysely<PlatformTables> => em.getKysely<PlatformTables>()

/** For `where('id', '=', anyOf(ids))`: one parameter, however many values there are. */
export const anyOf = <T>(values: readonly T[]): RawBuilder<T> => sql<T>`any(${values})`

/** Waits for a lock with a name, or with a kind and a name, which is held until the end of the transaction. */
export async function lockName(em: EntityManager, ...names: [string] | [kind: string, name: string]): Promise<void> {
  const keys = sql.join(names.map((name) => sql`hashtext(${name})`))
  await tables(em).selectNoFrom(sql`pg_advisory_xact_lock(${keys})`.as('locked')).execute()
}
