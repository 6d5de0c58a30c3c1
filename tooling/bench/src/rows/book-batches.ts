import type { Row } from '../row.ts'
import { rawRequest } from '../service/http-load.ts'
import { bareRequests, loopNote, medianRate, type Rate, rateOf, WARM_REQUESTS } from '../service/rate.ts'
import { sharedScene } from '../service/shared-scene.ts'
import type { VenueScene } from '../service/venue-scene.ts'

const TOKENS = 50
const LEVELS = 12
/** Calls that one address makes: its budget holds more. */
const PER_ADDRESS = 80

let address = 0

/** Batches asked for in turn by many addresses, because each has a budget. */
function requests(bodies: readonly string[], count: number): Buffer[] {
  let headers = {}
  return Array.from({ length: count }, (_, n) => {
    if (n % PER_ADDRESS === 0) {
      const n = address++
      headers = { 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
    }
    return rawRequest('POST', '/books', headers, bodies[n % bodies.length]!)
  })
}

/** Steps that lead through all fifty tokens before they come back. */
const STEPS = [1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39, 41, 43, 47, 49]

/** The same tokens in a thousand orders: as many batches as there are readers with sets of their own. */
const orders = (tokens: readonly string[]): string[] =>
  STEPS.flatMap((step) =>
    tokens.map((_, first) => JSON.stringify(tokens.map((_, n) => ({ token_id: tokens[(first + n * step) % tokens.length] })))),
  )

/** Markets with twelve levels on either side of both tokens. */
async function fillBooks(scene: VenueScene): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < TOKENS / 2; n++) {
    const { yes, no } = await scene.market(`books-${n}`)
    tokens.push(yes, no)
    const legs = [yes, no].flatMap((tokenId) =>
      Array.from({ length: LEVELS }, (_, level) => {
        const price = (0.45 - level / 100).toFixed(2)
        return { tokenId, side: 'BUY', orderType: 'GTC', price, size: '5.25' }
      }),
    )
    for (const some of [legs.slice(0, LEVELS), legs.slice(LEVELS)])
      await scene.traders[n % scene.traders.length]!.call(scene.url, 'POST', '/orders', some)
  }
  return tokens
}

/** Books of many tokens at once, which is what market makers and sites ask for most. */
export const bookBatches: Row = {
  id: '9',
  work: 'POST /books, 50 tokens × 12 levels',
  target: '≥ 3 × stringify, ≥ 0.28 × bare; the same set again ≥ 0.4',
  async measure({ rounds, quick }) {
    const { scene, bare } = await sharedScene()
    const tokens = await fillBooks(scene)
    const bodies = orders(tokens)
    const body = bodies[0]!
    const answer = await fetch(`${scene.url}/books`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const sample = await answer.text()
    const books: { bids: unknown[]; asks: unknown[] }[] = JSON.parse(sample)
    if (books.length !== TOKENS || books.some(({ bids, asks }) => bids.length !== LEVELS || asks.length !== LEVELS))
      throw new Error(`the books are not of ${TOKENS} tokens with ${LEVELS} levels: ${sample.slice(0, 500)}`)
    const stringify = await scene.startBare('stringify', sample)
    const count = quick ? 1_000 : 4_000
    const rates: Record<'ours' | 'again' | 'bare' | 'stringify', Rate[]> = { ours: [], again: [], bare: [], stringify: [] }
    const warming = Math.ceil(WARM_REQUESTS / 2 / count)
    for (let round = -warming; round < (quick ? 3 : rounds); round++) {
      const mine = await rateOf(scene.server, requests(bodies, count))
      const again = await rateOf(scene.server, requests([body], count))
      const theirs = await rateOf(bare, bareRequests(count * 3))
      const anew = await rateOf(stringify, requests(bodies, count))
      if (round < 0) continue // warms up
      rates.ours.push(mine)
      rates.again.push(again)
      rates.bare.push(theirs)
      rates.stringify.push(anew)
    }
    await stringify.stop()
    const [ours, limit, anew] = [medianRate(rates.ours), medianRate(rates.bare), medianRate(rates.stringify)]
    const again = medianRate(rates.again)
    return {
      figures: [
        { name: 'ours', value: ours.perSecond, unit: '/s' },
        { name: 'bare node:http', value: limit.perSecond, unit: '/s' },
        { name: 'JSON.stringify each time', value: anew.perSecond, unit: '/s' },
      ],
      met: ours.perSecond >= 3 * anew.perSecond && ours.perSecond >= 0.28 * limit.perSecond && again.perSecond >= 0.4 * limit.perSecond,
      note: `${loopNote(ours, limit)}, stringify ${anew.loopMicros.toFixed(0)} µs (${(anew.loopMicros / ours.loopMicros).toFixed(1)} ×); the same set again ${again.perSecond.toFixed(0)} /s (${(again.perSecond / limit.perSecond).toFixed(2)} × bare), ${again.loopMicros.toFixed(0)} µs (${(limit.loopMicros / again.loopMicros).toFixed(2)} ×)`,
    }
  },
}
