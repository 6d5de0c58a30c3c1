import { tables } from '@augury/domain/platform/tables'
import { formatDecimal, formatLots, formatUsdc } from '@augury/units/decimal'
import { ONE } from '@augury/units/price'
import { usdc } from '@augury/units/usdc'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { NotNull } from 'kysely'
import type { Run } from '../jobs/run-job.ts'
import { inDollars } from '../notifications/figures.ts'
import type { Platform } from '../site/platform.ts'
import { type Held, type HoldersExchange, notifyMembers } from './notify-members.ts'

/** What is said of a resolved market. */
interface Facts {
  title: string
  slug: string
  event_id: string
  event_slug: string
  weight: number
  yes: string
  no: string
}

/**
 * Notifies members of a market's result before anybody is paid: holders of what their shares pay, and those who follow its event once an
 * answer of it won. False while members are left.
 */
export async function notifyOfResult(platform: Platform, run: Run, exchange: HoldersExchange, conditionId: string): Promise<boolean> {
  const facts = await factsOf(platform.em(), conditionId)
  const isDone = await notifyMembers(platform, run, exchange, {
    source: `resolution:${conditionId}`,
    conditionId,
    eventId: facts.event_id,
    toHolder: (held) => toHolder(facts, conditionId, held),
    toWatcher: (await isResultOfEvent(platform, facts)) ? toWatcher(facts, conditionId) : null,
  })
  if (!isDone) return false
  await run.step(null, async (em) => {
    await tables(em).updateTable('settlement').set({ told_at: platform.now() }).where('market_condition_id', '=', conditionId).execute()
  })
  return true
}

function toWatcher(facts: Facts, conditionId: string) {
  const { title, slug, event_slug, weight, yes, no } = facts
  return {
    category: 'general',
    topic: 'result',
    kind: 'decided',
    title: 'Market resolved',
    description: `${title}: ${resultOf(facts)}.`,
    metadata: { condition_id: conditionId, market: slug, title, weight, outcomes: [yes, no] },
    link: { type: 'event', target: event_slug },
  } as const
}

/** Whether it is the result of its event: of several markets that is one that pays Yes, or the last to be decided when none does. */
async function isResultOfEvent(platform: Platform, { event_id, weight }: Facts): Promise<boolean> {
  if (weight > 0) return true
  const rest = await tables(platform.em())
    .selectFrom('market')
    .select('condition_id')
    .where('event_id', '=', event_id)
    .where((eb) => eb.or([eb('is_resolved', '=', false), eb('weight', '>', 0)]))
    .limit(1)
    .executeTakeFirst()
  return rest === undefined
}

/** The result of a market in English. */
const resultOf = ({ weight, yes, no }: Pick<Facts, 'weight' | 'yes' | 'no'>): string =>
  weight === ONE ? yes : weight === 0 ? no : `split, ${yes} pays ${formatDecimal(weight, 2)}¢`

function toHolder({ title, slug, event_slug, weight, yes, no }: Facts, conditionId: string, [yesLots, noLots]: Held) {
  const pays = usdc(weight * yesLots + (ONE - weight) * noLots)
  const shares = [...(yesLots > 0 ? [`${formatLots(yesLots)} ${yes}`] : []), ...(noLots > 0 ? [`${formatLots(noLots)} ${no}`] : [])].join(
    ' and ',
  )
  const result = resultOf({ weight, yes, no })
  return {
    category: 'trade',
    topic: 'result',
    kind: pays > 0 ? 'paid' : 'resolved',
    title: pays > 0 ? 'You are paid' : 'Market resolved',
    description: `${title}: ${result}. ${shares} ${pays > 0 ? `pay ${inDollars(pays)}` : 'pay nothing'}.`,
    metadata: {
      condition_id: conditionId,
      market: slug,
      payout: formatUsdc(pays),
      title,
      weight,
      outcomes: [yes, no],
      lots: [yesLots, noLots],
    },
    link: { type: 'event', target: event_slug },
  } as const
}

const factsOf = (em: EntityManager, conditionId: string): Promise<Facts> =>
  tables(em)
    .selectFrom('market')
    .innerJoin('event', 'event.id', 'market.event_id')
    .innerJoin('outcome as yes', (join) => join.onRef('yes.market_condition_id', '=', 'condition_id').on('yes.index', '=', 0))
    .innerJoin('outcome as no', (join) => join.onRef('no.market_condition_id', '=', 'condition_id').on('no.index', '=', 1))
    .select(['market.title', 'market.slug', 'weight', 'event_id', 'event.slug as event_slug', 'yes.text as yes', 'no.text as no'])
    .where('condition_id', '=', conditionId)
    .$narrowType<{ weight: NotNull }>()
    .executeTakeFirstOrThrow()
