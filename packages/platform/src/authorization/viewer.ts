import type { Auth } from '@augury/wire/operation'
import type { Scheduler } from './scheduler.ts'
import { httpVisit, type Visit } from './visit.ts'

declare const proven: unique symbol

/** A visitor without a session. */
export interface Visitor {
  readonly kind: 'anonymous'
  readonly visit: Visit
}

/** A signed-in user, whose session was read from the database for this request. */
export interface Member {
  readonly kind: 'member'
  readonly [proven]: true
  /** Id of the user. */
  readonly id: string
  /** Primary wallet, in lower case. */
  readonly address: `0x${string}`
  readonly isAdmin: boolean
  /** Whether the member is banned: may sign in and withdraw, but not trade. */
  readonly banned: boolean
  /** Whether the second factor is on. */
  readonly twoFactor: boolean
  /** Id of the session. */
  readonly session: string
  /** When the member last proved presence: by wallet, and by the second factor if it is on. */
  readonly provenAt: Date
  readonly visit: Visit
}

/** A member whose wallet is on the list of admins. */
export type Admin = Member & { readonly isAdmin: true }

/** The caller of a page or an operation. */
export type Viewer = Visitor | Member

/** The caller of an operation: a viewer, or a scheduler. */
export type Caller = Viewer | Scheduler

/** The identity that an operation gets, by its `auth`. */
export type ViewerOf<A extends Auth> = A extends 'admin'
  ? Admin
  : A extends 'member'
    ? Member
    : A extends 'optional'
      ? Viewer
      : A extends 'scheduler'
        ? Scheduler
        : Visitor

/** Makes a member. Only the reading of sessions may call it. */
export const prove = (facts: Omit<Member, typeof proven | 'kind'>): Member => ({ kind: 'member', ...facts }) as Member

/** An anonymous viewer without a request: for jobs, shared pages and tests. */
export const anonymous: Visitor = {
  kind: 'anonymous',
  visit: httpVisit({ method: 'GET', header: () => undefined, clientAddress: '' }, true),
}
