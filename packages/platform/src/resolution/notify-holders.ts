import { BadAnswerError } from '@augury/client/answer'
import type { VenueClient } from '@augury/client/rest'
import { anyOf, tables } from '@augury/domain/platform/tables'
import { formatDecimal, formatLots, formatUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { usdc } from '@augury/units/usdc'
import { PAGE_MAX } from '@augury/wire/limits'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { NotNull } from 'kysely'
import type { Run } from '../jobs/run-job.ts'
import { inDollars } from '../notifications/figures.ts'
import { notifyAll } from '../notifications/notify.ts'
import type { Platform } from '../site/platform.ts'
import { notifyWatchers } from './notify-watchers.ts'

/** The smallest holding. */
const LEAST = '0.01'
/** Members notified per step. */
const SET = 500
/** How often pages are read again because holders left the list meanwhile, before the market is left to the next run. */
const MOST_STEPS_BACK = 1000

/** What is said of a resolved market. */
export interface Facts {
  title: string
  slug: string
  event_id: string
  event_slug: string
  weight: number
  yes: string
  no: string
}

/** What a member holds of a market's two outcomes, in lots. */
type Held = [yes: number, no: number]

type Holders = Awaited<ReturnType<VenueClient['listHolders']>>[number]['holders']

/**
 * Notifies every member who holds shares of a resolved market of what they pay, before anybody is paid; and then those who saved its event
 * or commented on it. Members are notified in sets, each
 * stored at once: after a crash, or when there is no time left, those who were notified are left out. False while members are left, or
 * while the exchange's history has not reached the resolution: it is too early to say who holds what.
 */
export async function notifyHolders(
  platform: Platform,
  run: Run,
  exchange: Pick<VenueClient, 'getStatus' | 'listHolders'>,
  conditionId: string,
): Promise<boolean> {
  const { seq, projected_seq } = await exchange.getStatus()
  if (projected_seq < seq && !(await hasCaughtUp(exchange, seq))) return false
  const source = `resolution:${conditionId}`
  const members = [...(await membersWhoHold(platform, exchange, conditionId, source))]
  const facts = await factsOf(platform.em(), conditionId)
  for (let first = 0; first < members.length; first += SET) {
    if (first > 0 && !run.hasTime()) return false
    const set = members.slice(first, first + SET)
    const at = platform.now()
    await run.step(null, async (em) => {
      const told = await notifyAll(
        em,
        set.map(([id, held]) => [id, { source, at, ...message(facts, conditionId, held) }] as const),
      )
      run.count('told', told)
    })
  }
  if (!(await notifyWatchers(platform, run, facts, { conditionId, source }))) return false
  await run.step(null, async (em) => {
    await tables(em).updateTable('settlement').set({ told_at: platform.now() }).where('market_condition_id', '=', conditionId).execute()
  })
  return true
}

/** The members who hold shares of a market and were not notified yet, by id. Of other holders nothing is kept. */
async function membersWhoHold(
  platform: Platform,
  exchange: Pick<VenueClient, 'listHolders'>,
  conditionId: string,
  source: string,
): Promise<Map<string, Held>> {
  const members = new Map<string, Held>()
  for await (const holders of pagesOfHolders(exchange, conditionId)) {
    const addresses = [...new Set(holders.map(({ proxyWallet }) => proxyWallet.toLowerCase()))]
    const rows = await unnotified(platform.em(), addresses, source)
    const ids = new Map(rows.map(({ id, address }) => [address, id]))
    for (const { proxyWallet, outcomeIndex, amount } of holders) {
      const id = ids.get(proxyWallet.toLowerCase())
      if (id === undefined) continue
      const held: Held = members.get(id) ?? [0, 0]
      held[outcomeIndex] = Math.round(amount * LOTS_PER_SHARE)
      members.set(id, held)
    }
  }
  return members
}

/**
 * The holders of both outcomes of a resolved market, largest first. Holders only leave the list, as they claim by themselves, and then
 * those behind them move up. So a page begins with the last holder of the one before, and where others moved past that place, the page
 * before is read again.
 */
async function* pagesOfHolders({ listHolders }: Pick<VenueClient, 'listHolders'>, conditionId: string): AsyncGenerator<Holders> {
  const last: [Holders[number] | null, Holders[number] | null] = [null, null]
  const ended = [false, false]
  for (let offset = 0, back = 0; ended.includes(false); ) {
    const tokens = await listHolders({ query: { market: conditionId, limit: PAGE_MAX, offset, minBalance: LEAST } })
    const open = tokens.flatMap(({ holders }, outcome) => (ended[outcome] ? [] : [{ holders, outcome }]))
    if (offset > 0 && open.some(({ holders, outcome }) => isPast(holders[0], last[outcome]!))) {
      if (++back > MOST_STEPS_BACK) throw new BadAnswerError('the holders of a market are not listed in their order')
      offset = Math.max(0, offset - PAGE_MAX)
      continue
    }
    for (const { holders, outcome } of open) {
      yield holders
      last[outcome] = holders.at(-1) ?? null
      ended[outcome] = holders.length < PAGE_MAX
    }
    offset += PAGE_MAX - 1
  }
}

/** Whether a page that begins with `first` may lack holders who follow `last`. */
function isPast(first: Holders[number] | undefined, last: Holders[number]): boolean {
  if (!first) return true
  if (first.amount !== last.amount) return first.amount < last.amount
  return first.proxyWallet.toLowerCase() > last.proxyWallet.toLowerCase()
}

/** Reads once more after a pause: history lags by a moment. */
async function hasCaughtUp(exchange: Pick<VenueClient, 'getStatus'>, seq: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  return (await exchange.getStatus()).projected_seq >= seq
}

/** The result of a market in English. */
export const resultOf = ({ weight, yes, no }: Pick<Facts, 'weight' | 'yes' | 'no'>): string =>
  weight === ONE ? yes : weight === 0 ? no : `split, ${yes} pays ${formatDecimal(weight, 2)}¢`

function message({ title, slug, event_slug, weight, yes, no }: Facts, conditionId: string, [yesLots, noLots]: Held) {
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

const unnotified = (em: EntityManager, addresses: readonly string[], source: string) =>
  tables(em)
    .selectFrom('users')
    .select(['id', 'address'])
    .where('address', '=', anyOf(addresses))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('notification').whereRef('user_id', '=', 'users.id').where('source', '=', source))),
    )
    .execute()
