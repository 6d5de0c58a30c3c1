import { nameOf as ownNameOf } from '#lib/people/person.ts'

/** Name of a user for admins: username or shortened address; null stands for the deployment itself. */
export const nameOf = (who: { username: string | null; address: string } | null): string =>
  who === null ? 'the deployment' : ownNameOf(who)
