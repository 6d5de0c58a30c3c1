import { AuditEntry } from '@augury/domain/platform/audit-entry.entity'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Visit } from './visit.ts'

/** Actions that the audit log records. */
export type AuditAction =
  | 'member_created'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_suspended'
  | 'account_recovered'
  | 'recovery_codes_renewed'
  | 'recovery_code_sent'
  | 'wallet_linked'
  | 'wallet_unlinked'
  | 'recovery_code_used'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_locked'
  | 'other_sessions_ended'
  | 'trading_enabled'
  | 'trading_disabled'
  | 'trading_broken'
  | 'withdrawal_requested'
  | 'withdrawal_approved'
  | 'withdrawal_ended'
  | 'withdrawal_cancelled'
  | 'fees_paid_out'
  | 'proxy_wallet_signed'
  | 'admin_added'
  | 'admin_removed'
  | 'settings_changed'
  | 'settings_asked'
  | 'image_uploaded'
  | 'theme_drafted'
  | 'theme_published'
  | 'theme_deleted'
  | 'category_changed'
  | 'categories_merged'
  | 'event_changed'
  | 'event_paused'
  | 'event_resumed'
  | 'event_rescheduled'
  | 'event_published'
  | 'member_changed'
  | 'members_exported'
  | 'affiliates_exported'
  | 'translation_changed'
  | 'series_changed'
  | 'price_series_changed'
  | 'draft_deleted'
  | 'market_context_written'
  | 'venue_mode_changed'
  | 'resolution_decided'
  | 'sessions_ended'
  | 'sync_retried'
  | 'sync_started'
  | 'comment_removed'
  | 'comment_kept'

/** An entry of the audit log. */
export interface Audited {
  action: AuditAction
  /** User who did it, or null. */
  actor: string | null
  subject: string | null
  /** The request, whose id finds it in the program's log. */
  visit: Pick<Visit, 'clientAddress' | 'requestId'>
  details?: Record<string, unknown>
}

/** Writes an entry of the audit log, in the transaction of the action it records. Never pass it a secret. */
export async function audit(em: EntityManager, { details = {}, visit, ...entry }: Audited, at: Date): Promise<void> {
  const { clientAddress, requestId } = visit
  await em.insert(AuditEntry, { ...entry, clientAddress, details: requestId === '' ? details : { ...details, request: requestId }, at })
}
