import { tables } from '@augury/domain/platform/tables'
import type { Approval } from '@augury/wire/platform/approval'
import type { User } from '@augury/wire/platform/user'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { requireApprovalOrFresh } from '../identity/approval.ts'
import { userView } from '../identity/user-view.ts'
import type { Site } from '../site/site.ts'

/** Sets or removes the member's e-mail address. A changed address is unverified. Throws `step_up_required`, and the refusals of a proof. */
export async function changeEmail(
  site: Site,
  member: Member,
  { body }: { body: { email: string | null; approval?: Approval | undefined } },
): Promise<User> {
  const { email } = body
  // A confirmed address can recover the account, so it is a way in.
  await requireApprovalOrFresh(site, member, { action: 'change_email', email }, body.approval)
  return site.em().transactional(async (em) => {
    const changed = await tables(em)
      .updateTable('users')
      .set({ email, email_verified: false, updated_at: site.now() })
      .where('id', '=', member.id)
      .where('email', 'is distinct from', email)
      .returning('id')
      .execute()
    if (changed.length === 0) return userView(site, em, member.id)
    const about = { actor: member.id, subject: member.id, visit: member.visit }
    // The log says that it changed, not what it is.
    await audit(em, { action: 'member_changed', ...about, details: { email: email === null ? 'removed' : 'set' } }, site.now())
    return userView(site, em, member.id)
  })
}
