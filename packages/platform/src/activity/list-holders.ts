import { tables } from '@augury/domain/platform/tables'
import { formatLots } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import type { Input, Output } from '@augury/wire/operation'
import type { activityOperations } from '@augury/wire/platform/activity'
import { ServiceError } from '@augury/wire/service-error'
import { loadPeople } from '../account/people.ts'
import type { Viewer } from '../authorization/viewer.ts'
import { asRefusal } from '../exchange/exchange-refusals.ts'
import type { Site } from '../site/site.ts'
import { hiddenFrom } from './hidden-from.ts'

type Operation = typeof activityOperations.listHolders

/** Smallest holding, in shares, that is listed. */
const LEAST = '1'
const WORDS = ['Yes', 'No'] as const

/** The largest holders of a market's outcomes; none for a market that is unknown, or hidden from the viewer. Throws `missing_condition_id`. */
export async function listHolders(site: Site, viewer: Viewer, { query }: Pick<Input<Operation>, 'query'>): Promise<Output<Operation>> {
  const { conditionId, limit } = query
  if (!conditionId) throw new ServiceError('missing_condition_id')
  if ((await hiddenFrom(site, viewer, { markets: [conditionId] })).size > 0) return { yesHolders: [], noHolders: [] }
  const tokens = await site.exchange.anybody.listHolders({ query: { market: conditionId, limit, minBalance: LEAST } }).catch((error) => {
    throw asRefusal(error, false)
  })
  const holders = tokens.flatMap((token) => token.holders)
  const person = await loadPeople(
    site,
    holders.map(({ proxyWallet }) => proxyWallet),
  )
  const words = await tables(site.em())
    .selectFrom('outcome')
    .select(['index', 'text'])
    .where('market_condition_id', '=', conditionId)
    .execute()
  const of = (index: 0 | 1) =>
    holders
      .filter(({ outcomeIndex }) => outcomeIndex === index)
      .map(({ proxyWallet, amount }) => {
        const { created_at: _, ...user } = person(proxyWallet)
        const net_position = formatLots(Math.round(amount * LOTS_PER_SHARE))
        return { user, net_position, outcome_index: index, outcome_text: words.find((each) => each.index === index)?.text ?? WORDS[index] }
      })
  return { yesHolders: of(0), noHolders: of(1) }
}
