import { tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { passkeyOperations } from '@augury/wire/platform/passkeys'
import type { Locale } from '@augury/wire/platform/settings'
import { ServiceError } from '@augury/wire/service-error'
import { sql } from 'kysely'
import { audit } from '../authorization/audit.ts'
import type { Viewer } from '../authorization/viewer.ts'
import type { Mailer } from '../outbound/mailer.ts'
import type { Site } from '../site/site.ts'
import { siteBrand } from '../themes/site-brand.ts'
import { localeOf } from '../translations/translations.ts'
import { createTimedCode } from './recovery-codes.ts'
import { recoveryLetter } from './recovery-letter.ts'

type Operations = typeof passkeyOperations

/** Milliseconds for which an emailed code is valid, and until the next one can be sent to the same account. */
const VALID = 3_600_000
const BETWEEN = 600_000

/**
 * Emails a recovery code to the confirmed address of an account with a passkey. Whether there is such an account cannot be told from the answer,
 * nor from its time: the e-mail is sent after it. Throws `unsupported` on a site without a mail server.
 */
export async function emailRecoveryCode(
  site: Site,
  { visit }: Viewer,
  { body }: Pick<Input<Operations['emailRecoveryCode']>, 'body'>,
): Promise<{ success: true }> {
  const { mailer } = site
  if (!mailer) throw new ServiceError('unsupported', { text: 'This site sends no e-mail.' })
  await site.budgets.spend('letters', visit.clientAddress)
  const { name, defaultLocale } = await siteBrand(site)
  const locale = body.locale === undefined ? defaultLocale : (localeOf(body.locale) as Locale)
  site.background.follow(sendCodes(site, mailer, { ...body, locale, name }, visit))
  return { success: true }
}

/** Sends a code to each account of an address. A failure is not reported: it would tell that there is an account. */
async function sendCodes(
  site: Site,
  mailer: Mailer,
  { email: address, locale, name }: { email: string; locale: Locale; name: string },
  visit: Viewer['visit'],
): Promise<void> {
  for (const { email, code } of await codesFor(site, address, visit)) {
    // After the #, the code is in no log and no Referer.
    const link = `${site.settings.origin}/login/recover#${code}`
    await mailer.send({ sender: name, to: email, ...recoveryLetter(locale, { site: name, link, code }) })
  }
}

/** Creates the codes: one for each account that confirmed this very address, has a passkey, and was sent none lately. */
function codesFor(site: Site, address: string, visit: Viewer['visit']): Promise<{ email: string; code: string }[]> {
  const now = site.now()
  return site.em().transactional(async (em) => {
    const found = await tables(em)
      .selectFrom('users')
      .select(['id', 'email'])
      .where(sql<string>`lower(email)`, '=', address.toLowerCase())
      .where('email_verified', '=', true)
      .where((eb) => eb.exists(eb.selectFrom('passkey').whereRef('passkey.user_id', '=', 'users.id')))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('account_recovery')
              .whereRef('account_recovery.user_id', '=', 'users.id')
              .where('expires_at', '>', new Date(now.getTime() + VALID - BETWEEN)),
          ),
        ),
      )
      .limit(3)
      .forNoKeyUpdate()
      .execute()
    const codes: { email: string; code: string }[] = []
    for (const { id, email } of found) {
      const code = await createTimedCode(em, id, new Date(now.getTime() + VALID))
      await audit(em, { action: 'recovery_code_sent', actor: null, subject: id, visit }, now)
      if (email !== null) codes.push({ email, code })
    }
    return codes
  })
}
