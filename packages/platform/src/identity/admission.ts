import type { Operation } from '@augury/wire/operation'
import { budgetsOfAddress, type WebBudgetName } from '@augury/wire/platform/budgets'
import { ServiceError } from '@augury/wire/service-error'
import { presentedScheduler } from '../authorization/scheduler.ts'
import type { Caller, Member, Viewer } from '../authorization/viewer.ts'
import { type Arrival, httpVisit, type Visit } from '../authorization/visit.ts'
import { withoutDatabase } from '../site/database-away.ts'
import type { Site } from '../site/site.ts'
import { ownOrigins } from './own-origins.ts'
import { presentedToken, readSession } from './sessions.ts'

/** Admits one request to the operations of a deployment, whatever the transport. */
export interface Admission {
  /** What the answer sets in the browser, refusal or not. */
  readonly visit: Visit
  /** Id of the member, once the session was read. */
  readonly member: string | null
  /** The viewer of a page. Refuses no request: pages change things only through operations. */
  look(): Promise<Viewer>
  /**
   * The caller of an operation. Throws `foreign_origin`, `unauthenticated`, `admin_required`, `rate_limited`, and
   * `service_unavailable` while the database does not tell who it is.
   * The session is read at most once.
   */
  admit(operation: Pick<Operation, 'auth' | 'budget'>): Promise<Caller>
}

/** Makes the admission of a request. */
export function admission(site: Site, arrival: Arrival): Admission {
  const visit = httpVisit(arrival, site.settings.origin.startsWith('https:'))
  const token = presentedToken(visit, arrival.header('authorization'))
  let session: Promise<Member | null> | undefined
  let member: string | null = null

  async function look(): Promise<Viewer> {
    session ??= token === null ? Promise.resolve(null) : readSession(site, token, visit).catch(refuseWithoutDatabase)
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
    // Who brings no session has none that another site could use: what is missing is a sign-in.
    if (token === null && auth !== 'optional') throw new ServiceError('unauthenticated')
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

/** Nothing has happened yet when the session is read. */
const refuseWithoutDatabase = (error: unknown): never => {
  throw withoutDatabase(error)
}

/** Counts a call against the caller's budget and, for a member, against that of all members at the same address. */
async function spend({ budgets }: Site, budget: WebBudgetName, viewer: Caller, { clientAddress }: Visit): Promise<void> {
  if (viewer.kind !== 'member') return budgets.spend(budget, clientAddress)
  await budgets.spend(budget, viewer.id)
  const shared = budgetsOfAddress[budget]
  if (shared) await budgets.spend(shared, clientAddress)
}

/** Whether the page was made for another member than the one signed in now, who signed in in another tab since. */
function isOfAnother(viewer: Viewer, { header }: Arrival): boolean {
  const member = header('x-member')
  return viewer.kind === 'member' && member !== undefined && member.toLowerCase() !== viewer.address
}

/**
 * Whether another site may have made a browser send this request (CSRF). Reads may come from anywhere. A request without an origin counts
 * as ours only if no form could have sent it: by its content type, or a bearer token, which browsers never add.
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
