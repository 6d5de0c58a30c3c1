import type { Auth } from '@augury/wire/operation'
import type { Scheduler } from './scheduler.ts'
import { httpVisit, type Visit } from './visit.ts'

declare const proven: unique symbol

/** Nobody in particular. */
export interface Visitor {
  readonly kind: 'anonymous'
  readonly visit: Visit
}

/** Somebody whose session was read from the database for this request. */
export interface Member {
  readonly kind: 'member'
  readonly [proven]: true
  /** Id of the user. */
  readonly id: string
  /** Primary wallet, in lower case. */
  readonly address: `0x${string}`
  readonly isAdmin: boolean
  /** May sign in and take out, but not trade. */
  readonly banned: boolean
  /** Whether the second factor is on. */
  readonly twoFactor: boolean
  /** Id of the session. */
  readonly session: string
  /** When the member last proved to be there: by wallet, and by the second factor where it is on. */
  readonly provenAt: Date
  readonly visit: Visit
}

/** A member whose wallet is on the list of admins. */
export type Admin = Member & { readonly isAdmin: true }

/** Who looks. */
export type Viewer = Visitor | Member

/** Who calls: somebody who looks, or a clock. */
export type Caller = Viewer | Scheduler

/** What verification makes for an operation that lets in so much. */
export type ViewerOf<A extends Auth> = A extends 'admin'
  ? Admin
  : A extends 'member'
    ? Member
    : A extends 'optional'
      ? Viewer
      : A extends 'scheduler'
        ? Scheduler
        : Visitor

/** Makes a member. Called by the reading of sessions and by nothing else. */
export const prove = (facts: Omit<Member, typeof proven | 'kind'>): Member => ({ kind: 'member', ...facts }) as Member

/** A visitor of a request that brought nothing, and whose answer goes nowhere: for jobs, pages that are the same for all, and tests. */
export const anonymous: Visitor = {
  kind: 'anonymous',
  visit: httpVisit({ method: 'GET', header: () => undefined, clientAddress: '' }, true),
}
