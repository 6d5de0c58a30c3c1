import { MAILBOX } from '@augury/domain/platform/email-verification.entity'
import { tables } from '@augury/domain/platform/tables'
import type { Locale } from '@augury/wire/platform/settings'
import { ServiceError } from '@augury/wire/service-error'
import { sql } from 'kysely'
import { audit } from '../authorization/audit.ts'
import type { Member, Viewer } from '../authorization/viewer.ts'
import { hashOf, newToken } from '../crypto/token.ts'
import { LetterError } from '../outbound/mailer.ts'
import type { Site } from '../site/site.ts'
import { siteBrand } from '../themes/site-brand.ts'
import { localeOf } from '../translations/translations.ts'
import { verificationLetter } from './verification-letter.ts'

const HOUR = 3_600_000
/** Emails per hour to one mailbox, from all members, and for one member, to all mailboxes: the site cannot be used to flood a mailbox. */
/** The mailbox of the column or value `email`, in the words of the table's index. */
const mailboxOfEmail = sql<string>`${sql.raw(MAILBOX)}`
const TO_ONE_MAILBOX = 3
const FOR_ONE_MEMBER = 5

/**
 * Sends the member a letter with a link that confirms the address within an hour; only a hash of its token is stored. Throws `unsupported`
 * on a site without a mail server, `email_missing`, `rate_limited`, and `email_not_sent` when the server did not accept the letter.
 */
export async function sendEmailVerification(
  site: Site,
  member: Member,
  { body }: { body: { locale?: string | undefined } },
): Promise<{ success: true }> {
  const { mailer } = site
  if (!mailer) throw new ServiceError('unsupported', { text: 'This site sends no e-mail.' })
  // Accounts cost nothing, so letters are also counted by client address.
  await site.budgets.spend('letters', member.visit.clientAddress)
  const { name, defaultLocale } = await siteBrand(site)
  const token = newToken()
  const to = await noteLetter(site, member, hashOf(token))
  // After the #, the token is in no log and no Referer.
  const link = `${site.settings.origin}/confirm-email#${token}`
  const locale = body.locale === undefined ? defaultLocale : (localeOf(body.locale) as Locale)
  try {
    await mailer.send({ sender: name, to, ...verificationLetter(locale, name, link) })
  } catch (cause) {
    // A letter that may have been accepted counts: otherwise a slow server could be made to flood a mailbox.
    if (cause instanceof LetterError && cause.isUntaken)
      await tables(site.em()).deleteFrom('email_verification').where('token_hash', '=', hashOf(token)).execute()
    throw new ServiceError('email_not_sent', { cause })
  }
  return { success: true }
}

/** Records a letter and returns its address. Locks keep the limits under concurrency. Throws `email_missing` or `rate_limited`. */
function noteLetter(site: Site, { id }: Member, tokenHash: Buffer): Promise<string> {
  const now = site.now()
  return site.em().transactional(async (em) => {
    const user = await tables(em).selectFrom('users').select('email').where('id', '=', id).forUpdate().executeTakeFirst()
    const email = user?.email
    if (!email) throw new ServiceError('email_missing')
    const { mailbox } = await tables(em)
      .selectFrom(sql<{ email: string }>`(select ${email}::text as email)`.as('given'))
      .select(mailboxOfEmail.as('mailbox'))
      .executeTakeFirstOrThrow()
    await tables(em).selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended('letters to ' || ${mailbox}, 0))`.as('locked')).execute()
    const sent = await tables(em)
      .selectFrom('email_verification')
      .select((eb) => [eb(mailboxOfEmail, '=', mailbox).as('here'), eb('user_id', '=', id).as('own'), 'expires_at'])
      .where((eb) => eb.or([eb(mailboxOfEmail, '=', mailbox), eb('user_id', '=', id)]))
      .where('expires_at', '>', now)
      .orderBy('expires_at')
      .execute()
    const here = sent.filter((letter) => letter.here)
    const own = sent.filter((letter) => letter.own)
    const inTheWay = [here[here.length - TO_ONE_MAILBOX], own[own.length - FOR_ONE_MEMBER]].flatMap((letter) => letter ?? [])
    if (inTheWay.length > 0) {
      const free = Math.max(...inTheWay.map(({ expires_at }) => expires_at.getTime()))
      throw new ServiceError('rate_limited', { retryAfter: Math.max(1, Math.ceil((free - now.getTime()) / 1000)) })
    }
    await tables(em)
      .insertInto('email_verification')
      .values({ token_hash: tokenHash, user_id: id, email, expires_at: new Date(now.getTime() + HOUR) })
      .execute()
    return email
  })
}

/**
 * Confirms an address by the token of its email, for any bearer: reading the email is the proof. Works once, and only while the
 * member still has that address; the same again, because its answer was lost, is answered alike. Throws `email_link_invalid`.
 */
export async function confirmEmail(site: Site, { visit }: Viewer, { body }: { body: { token: string } }): Promise<{ success: true }> {
  const now = site.now()
  return site.em().transactional(async (em) => {
    const letter = await tables(em)
      .selectFrom('email_verification')
      .select(['user_id', 'email', 'used_at'])
      .where('token_hash', '=', hashOf(body.token))
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst()
    if (!letter) throw new ServiceError('email_link_invalid')
    const { user_id: id, email, used_at } = letter
    const confirmed = await tables(em)
      .updateTable('users')
      .set({ email_verified: true, updated_at: now })
      .where('id', '=', id)
      .where('email', '=', email)
      .$if(used_at !== null, (query) => query.where('email_verified', '=', true))
      .returning('id')
      .execute()
    if (confirmed.length === 0) throw new ServiceError('email_link_invalid')
    if (used_at !== null) return { success: true } as const
    await tables(em).updateTable('email_verification').set({ used_at: now }).where('token_hash', '=', hashOf(body.token)).execute()
    const about = { actor: id, subject: id, visit }
    await audit(em, { action: 'member_changed', ...about, details: { email: 'verified' } }, now)
    return { success: true } as const
  })
}
