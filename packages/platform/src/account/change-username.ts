import { tables } from '@augury/domain/platform/tables'
import { isDuplicate } from '@augury/domain/refused'
import type { User } from '@augury/wire/platform/user'
import { ServiceError } from '@augury/wire/service-error'
import { audit } from '../authorization/audit.ts'
import type { Member } from '../authorization/viewer.ts'
import { userView } from '../identity/user-view.ts'
import type { Site } from '../site/site.ts'
import { siteBrand } from '../themes/site-brand.ts'
import { isReservedName } from './reserved-names.ts'

/**
 * Sets or removes the member's username. Throws `username_taken`, ignoring case, and `username_reserved` unless the member is an admin or
 * has the name already.
 */
export async function changeUsername(site: Site, member: Member, { body }: { body: { username: string | null } }): Promise<User> {
  try {
    const { name: siteName } = await siteBrand(site)
    return await site.em().transactional(async (em) => {
      if (body.username !== null && !member.isAdmin && isReservedName(body.username, siteName)) {
        const same = await tables(em)
          .selectFrom('users')
          .select('id')
          .where('id', '=', member.id)
          .where((eb) => eb(eb.fn('lower', ['username']), '=', body.username!.toLowerCase()))
          .execute()
        if (same.length === 0) throw new ServiceError('username_reserved')
      }
      const changed = await tables(em)
        .updateTable('users')
        .set({ username: body.username, updated_at: site.now() })
        .where('id', '=', member.id)
        .where('username', 'is distinct from', body.username)
        .returning('id')
        .execute()
      if (changed.length === 0) return userView(site, em, member.id)
      const about = { actor: member.id, subject: member.id, visit: member.visit }
      await audit(em, { action: 'member_changed', ...about, details: { username: body.username } }, site.now())
      return userView(site, em, member.id)
    })
  } catch (error) {
    if (isDuplicate(error)) throw new ServiceError('username_taken', { cause: error })
    throw error
  }
}
