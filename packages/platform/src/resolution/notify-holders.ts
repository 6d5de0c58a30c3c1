import type { VenueClient } from '@augury/client/rest'
import { formatDecimal, formatLots, formatUsdc } from '@augury/units/decimal'
import { LOTS_PER_SHARE } from '@augury/units/lots'
import { ONE } from '@augury/units/price'
import { usdc } from '@augury/units/usdc'
import { PAGE_MAX } from '@augury/wire/limits'
import { inDollars } from '../notifications/figures.ts'
import { notify } from '../notifications/notify.ts'
import type { Platform } from '../platform.ts'
import type { Run } from '../sync/run-job.ts'

/** The smallest holding. */
const LEAST = '0.01'

interface Facts {
  title: string
  slug: string
  event_slug: string
  weight: number
  yes: string
  no: string
}

/** What a member holds of a market's two outcomes, in lots. */
type Held = [yes: number, no: number]

/**
 * Notifies every member who holds shares of a resolved market of what they pay, before anybody is paid. False while the exchange's history
 * has not reached the resolution: it is too early to say who holds what.
 */
export async function notifyHolders(
  platform: Platform,
  run: Run,
  exchange: Pick<VenueClient, 'getStatus' | 'listHolders'>,
  conditionId: string,
): Promise<boolean> {
  const { seq, projected_seq } = await exchange.getStatus()
  if (projected_seq < seq && !(await hasCaughtUp(exchange, seq))) return false
  const held = await holdingsOf(exchange, conditionId)
  await run.step(null, async (em) => {
    const [facts]: Facts[] = await em.execute(FACTS, [conditionId])
    const members: { id: string; address: string }[] = await em.execute(MEMBERS, [JSON.stringify([...held.keys()])])
    const at = platform.now()
    for (const { id, address } of members) {
      await notify(em, id, { source: `resolution:${conditionId}`, at, ...message(facts!, conditionId, held.get(address)!) })
    }
    await em.execute('update settlement set told_at = ? where market_condition_id = ?', [at, conditionId])
    run.count('told', members.length)
  })
  return true
}

/** All holders of a market, by lower-case address. */
async function holdingsOf({ listHolders }: Pick<VenueClient, 'listHolders'>, conditionId: string): Promise<Map<string, Held>> {
  const held = new Map<string, Held>()
  for (let offset = 0; ; offset += PAGE_MAX) {
    const tokens = await listHolders({ query: { market: conditionId, limit: PAGE_MAX, offset, minBalance: LEAST } })
    for (const { proxyWallet, outcomeIndex, amount } of tokens.flatMap(({ holders }) => holders)) {
      const both: Held = held.get(proxyWallet.toLowerCase()) ?? [0, 0]
      both[outcomeIndex] = Math.round(amount * LOTS_PER_SHARE)
      held.set(proxyWallet.toLowerCase(), both)
    }
    if (tokens.every(({ holders }) => holders.length < PAGE_MAX)) return held
  }
}

/** Reads once more after a pause: history lags by a moment. */
async function hasCaughtUp(exchange: Pick<VenueClient, 'getStatus'>, seq: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  return (await exchange.getStatus()).projected_seq >= seq
}

function message({ title, slug, event_slug, weight, yes, no }: Facts, conditionId: string, [yesLots, noLots]: Held) {
  const pays = usdc(weight * yesLots + (ONE - weight) * noLots)
  const shares = [...(yesLots > 0 ? [`${formatLots(yesLots)} ${yes}`] : []), ...(noLots > 0 ? [`${formatLots(noLots)} ${no}`] : [])].join(
    ' and ',
  )
  const result = weight === ONE ? yes : weight === 0 ? no : `split, ${yes} pays ${formatDecimal(weight, 2)}¢`
  return {
    category: 'trade',
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

const FACTS = `
  select title, market.slug, weight, (select slug from event where id = event_id) as event_slug,
    (select text from outcome where market_condition_id = condition_id and index = 0) as yes,
    (select text from outcome where market_condition_id = condition_id and index = 1) as no
  from market where condition_id = ?`

const MEMBERS = `select id, address from users where address in (select value from jsonb_array_elements_text(?::jsonb))`
