import { tables } from '@augury/domain/platform/tables'
import { DecimalError, parseLots, parsePrice, parseUsdc } from '@augury/units/decimal'
import type { PlainOrder } from '@augury/wire/order-body'
import { type OwnLimits, type Preferences, preferences } from '@augury/wire/platform/account'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Member } from '../authorization/viewer.ts'
import type { Site } from '../site/site.ts'

/** Milliseconds before a loosened limit takes effect. */
const COOLING_OFF = 86_400_000
const HOUR = 3_600_000

const NONE: Preferences = { muted: [], limits: { breakUntil: null, orderMax: null, orderMaxNext: null, loosensAt: null } }

/** The member's preferences. */
export const getPreferences = (site: Site, member: Member): Promise<Preferences> => read(site, site.em(), member.id)

/** Sets the categories of notifications that the member does not get. */
export const muteNotifications = (site: Site, member: Member, { body }: { body: Pick<Preferences, 'muted'> }): Promise<Preferences> =>
  change(site, member, (chosen) => ({ ...chosen, muted: [...new Set(body.muted)] }))

/**
 * Limits the cost of a single buy order. A tighter limit holds at once, a looser one after a day, so that it is not loosened on impulse.
 */
export const limitOrders = (site: Site, member: Member, { body }: { body: Pick<OwnLimits, 'orderMax'> }): Promise<Preferences> =>
  change(site, member, ({ limits, ...chosen }) => {
    const looser = limits.orderMax !== null && (body.orderMax === null || Number(body.orderMax) > Number(limits.orderMax))
    const changed = looser
      ? { orderMaxNext: body.orderMax, loosensAt: new Date(site.now().getTime() + COOLING_OFF).toISOString() }
      : { orderMax: body.orderMax, orderMaxNext: null, loosensAt: null }
    return { ...chosen, limits: { ...limits, ...changed } }
  })

/** Keeps the member from trading for some hours; a longer break already under way stays. */
export const takeBreak = (site: Site, member: Member, { body }: { body: { hours: number } }): Promise<Preferences> =>
  change(site, member, ({ limits, ...chosen }) => {
    const until = new Date(site.now().getTime() + body.hours * HOUR).toISOString()
    return {
      ...chosen,
      limits: { ...limits, breakUntil: limits.breakUntil !== null && limits.breakUntil > until ? limits.breakUntil : until },
    }
  })

/** Throws `taking_break` or `own_limit` when the member's own limits forbid an order. Sales are only forbidden during a break. */
export async function refuseByOwnLimits(site: Site, member: Member, order: PlainOrder): Promise<void> {
  const { limits } = await read(site, site.em(), member.id)
  if (limits.breakUntil !== null) throw new ServiceError('taking_break', { details: { until: limits.breakUntil } })
  if (limits.orderMax !== null && costOf(order) > Number(limits.orderMax)) {
    throw new ServiceError('own_limit', { details: { limit: limits.orderMax } })
  }
}

/** The most that an order may cost, in millionths, without fees; 0 for a sale, and for amounts that the exchange will refuse anyway. */
function costOf({ side, amount, price, size }: PlainOrder): number {
  if (side === 'SELL') return 0
  try {
    return amount === undefined ? parsePrice(price!) * parseLots(size!) : parseUsdc(amount)
  } catch (error) {
    if (error instanceof DecimalError) return 0
    throw error
  }
}

/** The preferences as of now: without a break that is over, and with a limit that has been loosened in the meantime. */
async function read(site: Site, em: EntityManager, userId: string, lock = false): Promise<Preferences> {
  const row = await tables(em)
    .selectFrom('users')
    .select((eb) => eb.ref('preferences', '->').key('chosen').as('chosen'))
    .where('id', '=', userId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  const { muted, limits } = preferences.parse(row?.chosen ?? NONE)
  const now = site.now().toISOString()
  const breakUntil = limits.breakUntil !== null && limits.breakUntil > now ? limits.breakUntil : null
  const loosened = limits.loosensAt !== null && limits.loosensAt <= now
  const bound = loosened ? { orderMax: limits.orderMaxNext, orderMaxNext: null, loosensAt: null } : {}
  return { muted, limits: { ...limits, ...bound, breakUntil } }
}

/** Changes the preferences of a member under a row lock, so that concurrent changes do not overwrite each other. */
function change(site: Site, member: Member, next: (chosen: Preferences) => Preferences): Promise<Preferences> {
  return site.em().transactional(async (em) => {
    const chosen = next(await read(site, em, member.id, true))
    await tables(em)
      .updateTable('users')
      .set({ preferences: sql`preferences || ${JSON.stringify({ chosen })}::jsonb`, updated_at: site.now() })
      .where('id', '=', member.id)
      .execute()
    return chosen
  })
}
