import type { Operation } from '@augury/wire/operation'
import { budgetsOfAddress, type WebBudgetName } from '@augury/wire/platform/budgets'
import { ServiceError } from '@augury/wire/service-error'
import type { Site } from '../site.ts'
import { ownOrigins } from './own-origins.ts'
import { presentedScheduler } from './scheduler.ts'
import { presentedToken, readSession } from './sessions.ts'
import type { Caller, Member, Viewer } from './viewer.ts'
import { type Arrival, httpVisit, type Visit } from './visit.ts'

/** The door of a deployment: one for each request, whatever carries it. */
export interface Admission {
  /** What the answer leaves with the caller, refusal or not. */
  readonly visit: Visit
  /** Id of the member who asks, once somebody looked. */
  readonly member: string | null
  /** Who looks at a page. Refuses nobody: what a page changes, it changes by an operation. */
  look(): Promise<Viewer>
  /**
   * Who may go on with a call of the operation. Refuses `foreign_origin`, `unauthenticated`, `admin_required` and `rate_limited`.
   * The session is read at most once.
   */
  admit(operation: Pick<Operation, 'auth' | 'budget'>): Promise<Caller>
}

/** Opens the door to a request. */
export function admission(site: Site, arrival: Arrival): Admission {
  const visit = httpVisit(arrival, site.settings.origin.startsWith('https:'))
  let session: Promise<Member | null> | undefined
  let member: string | null = null

  async function look(): Promise<Viewer> {
    const token = presentedToken(visit, arrival.header('authorization'))
    session ??= token === null ? Promise.resolve(null) : readSession(site, token, visit)
    const found = await session
    member = found?.id ?? null
    return found ?? { kind: 'anonymous', visit }
  }

  async function identify(auth: Operation['auth']): Promise<Caller> {
    if (auth === 'public') return { kind: 'anonymous', visit }
    if (auth === 'scheduler') {
      const scheduler = presentedScheduler(arrival, site.settings.schedulerSecret)
      if (!scheduler) throw new ServiceError('unauthenticated')
      return scheduler
    }
    if (isForeign(site, arrival)) throw new ServiceError('foreign_origin')
    const viewer = await look()
    if (isOfAnother(viewer, arrival)) throw new ServiceError('unauthenticated')
    if (auth === 'optional') return viewer
    if (viewer.kind === 'anonymous') throw new ServiceError('unauthenticated')
    if (auth === 'admin' && !viewer.isAdmin) throw new ServiceError('admin_required')
    return viewer
  }

  return {
    visit,
    get member() {
      return member
    },
    look,
    async admit({ auth, budget }) {
      const viewer = await identify(auth)
      if (budget) await spend(site, budget, viewer, visit)
      return viewer
    },
  }
}

/** Counts a call as the caller's own and, of a member, as one of all members where they come from. */
async function spend({ budgets }: Site, budget: WebBudgetName, viewer: Caller, { clientAddress }: Visit): Promise<void> {
  if (viewer.kind !== 'member') return budgets.spend(budget, clientAddress)
  await budgets.spend(budget, viewer.id)
  const shared = budgetsOfAddress[budget]
  if (shared) await budgets.spend(shared, clientAddress)
}

/** Whether a page asks that was made for another member than is signed in now: in another tab somebody else has signed in since. */
function isOfAnother(viewer: Viewer, { header }: Arrival): boolean {
  const member = header('x-member')
  return viewer.kind === 'member' && member !== undefined && member.toLowerCase() !== viewer.address
}

/**
 * Whether another site may have made a browser send this. What changes nothing may come from anywhere. A request that says nothing of
 * where it comes from counts as ours only if no form could have made it: by its content type, or by a token that no browser adds.
 */
function isForeign({ settings }: Site, { method, header }: Arrival): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const origin = header('origin')
  const site = header('sec-fetch-site')
  if (origin !== undefined && !ownOrigins(settings).includes(origin)) return true
  if (site === 'cross-site' || (origin === undefined && site === 'same-site')) return true
  if (origin !== undefined || site !== undefined) return false
  return header('authorization') === undefined && !/^application\/json\s*(;|$)/i.test(header('content-type') ?? '')
}
