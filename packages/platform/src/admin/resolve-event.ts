import { tables } from '@augury/domain/platform/tables'
import { ONE } from '@augury/units/price'
import type { Input } from '@augury/wire/operation'
import type { adminEventOperations } from '@augury/wire/platform/admin-events'
import { ServiceError } from '@augury/wire/service-error'
import type { EntityManager } from '@mikro-orm/postgresql'
import { runSensitive } from '../authorization/run-as-admin.ts'
import type { Admin } from '../authorization/viewer.ts'
import { lockMarkets } from '../events/lock-markets.ts'
import {
  cancelResolution,
  confirmResolution,
  disputeResolution,
  flagResolution,
  pauseResolution,
  proposeResolution,
} from '../resolution/decide.ts'
import type { Resolver } from '../resolution/history.ts'
import type { Site } from '../site/site.ts'

type Body = Input<typeof adminEventOperations.adminResolveEvent>['body']

/**
 * Takes a step in the resolution of some markets of an event, for all of them or none. The payout follows later, when a proposal has stood
 * its time. Throws `event_not_found`, `market_not_found`, `condition_not_owned`, and what the steps throw.
 */
export function resolveEvent(
  site: Site,
  admin: Admin,
  { params: { id }, body }: { params: { id: string }; body: Body },
): Promise<{ success: true }> {
  return runSensitive(site, admin, async (em, now) => {
    const known = await marketsOf(site, em, id)
    const by: Resolver = { kind: 'operator', userId: admin.id, address: admin.address, named: site.settings.adminWallets }
    const open = known.filter(({ is_resolved }) => !is_resolved).map(({ condition_id }) => condition_id)
    const meant = body.step === 'propose' ? body.answers.map(({ condition_id }) => condition_id) : (body.condition_ids ?? open)
    const conditions = meant.map((condition) => condition.toLowerCase())
    if (conditions.some((condition) => !known.some(({ condition_id }) => condition_id === condition)))
      throw new ServiceError('market_not_found')
    await lockMarkets(em, conditions)
    for (const [i, conditionId] of conditions.entries()) await step(em, by, conditionId, body, i, now)
    return { answer: { success: true }, record: { action: 'resolution_decided', target: id, after: body } }
  })
}

/**
 * The markets of an event in order. Throws `event_not_found`, and `condition_not_owned` when they are not the deployment's own.
 */
async function marketsOf(site: Site, em: EntityManager, id: string): Promise<{ condition_id: string; is_resolved: boolean }[]> {
  const event = await tables(em).selectFrom('event').select('creator').where('id', '=', id).executeTakeFirst()
  if (!event) throw new ServiceError('event_not_found')
  if (event.creator !== site.exchange.operatorAddress.toLowerCase()) throw new ServiceError('condition_not_owned')
  return tables(em).selectFrom('market').select(['condition_id', 'is_resolved']).where('event_id', '=', id).orderBy('position').execute()
}

const weightOf = ({ yes_pays }: { yes_pays: number }) => Math.round(yes_pays * ONE)

function step(em: EntityManager, by: Resolver, conditionId: string, body: Body, i: number, now: Date): Promise<void> {
  if (body.step === 'propose') {
    const { evidence: note, dispute_seconds: disputeSeconds, answers } = body
    const weight = weightOf(answers[i]!)
    return proposeResolution(em, by, { conditionId, weight, note, ...(disputeSeconds === undefined ? {} : { disputeSeconds }) }, now)
  }
  const decision = { conditionId, note: body.note }
  const seen = body.answers?.find(({ condition_id }) => condition_id.toLowerCase() === conditionId)
  switch (body.step) {
    case 'dispute':
      return disputeResolution(em, by, decision, now)
    case 'cancel':
      return cancelResolution(em, by, decision, now)
    case 'confirm':
      return confirmResolution(em, by, { ...decision, weight: seen && weightOf(seen) }, now)
    case 'flag':
    case 'unflag':
      return flagResolution(em, by, { ...decision, flagged: body.step === 'flag' }, now)
    case 'hold':
    case 'release':
      return pauseResolution(em, by, { ...decision, paused: body.step === 'hold' }, now)
  }
}
