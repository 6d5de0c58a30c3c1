import type { Fault, Seen } from './faults.ts'
import type { Market, Scene } from './scene.ts'
import { answered, type Reply, type Trader } from './trader.ts'

/** Orders per round, each at a price of its own. */
const ROUND = 12
const SIZE = '5'
/** Withdrawals for which one order offers enough at once. */
const OFFERED = 100
const PRICES = Array.from({ length: ROUND }, (_, index) => `0.${30 + index}`)
const mirror = (price: string): string => (1 - Number(price)).toFixed(2)

/** Rounds run in parallel, each in a market of its own so that they do not interfere. */
const PAIRS = 8

/** A maker and a taker, and the results of their races. */
interface Pair {
  market: Market
  maker: Trader
  taker: Trader
  /** Matches of the taker so far. */
  bought: number
}
interface Outcomes {
  cancelled: number
  filled: number
  wrong: string[]
}

/** Sends several requests at once, in random order. */
async function together(asks: (() => Promise<Reply>)[]): Promise<Reply[]> {
  const order = asks.map((_, index) => index).sort(() => Math.random() - 0.5)
  const answers: Reply[] = []
  await Promise.all(order.map(async (index) => (answers[index] = await answered(asks[index]!))))
  return answers
}

/** The answer to a request that must succeed. */
async function told(ask: () => Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await answered(ask)
  if (status !== 200) throw new Error(`it was answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Ids of orders that are all in the book: a leg with a retryable refusal is sent again under its name. */
async function placed(maker: Trader, url: string, legs: readonly object[]): Promise<string[]> {
  for (let patience = 100; ; patience--) {
    const results: { success: boolean; orderId: string; code?: string }[] = await told(() => maker.call(url, 'POST', '/orders', legs))
    if (results.every(({ success }) => success)) return results.map(({ orderId }) => orderId)
    const wrong = results.find(({ success, code }) => !success && code !== 'service_unavailable' && code !== 'overloaded')
    if (wrong || patience === 0) throw new Error(`a leg was answered ${JSON.stringify(wrong ?? results)}`)
  }
}

/** Concurrent requests of which only one can succeed: each answer is compared with the final state. */
export const races: readonly Fault[] = [
  {
    name: 'cancel against match',
    must: 'an order is cancelled, and was not filled afterwards, or filled, and its cancel says so: never both, never neither',
    async run(scene, { races: count }): Promise<Seen> {
      const seen = await inPairs(scene, Math.ceil(count / ROUND), 10_000_000, (pair, _, outcomes) => race(scene, pair, outcomes))
      return { facts: `${seen.cancelled + seen.filled} races: ${seen.cancelled} cancelled, ${seen.filled} filled`, wrong: both(seen) }
    },
  },
  {
    name: 'orders that each need the whole balance, at once',
    must: 'exactly one is accepted, and it alone holds money',
    async run(scene, { spenders }): Promise<Seen> {
      const trader = await scene.newcomer(50)
      const { url } = scene.writer
      const order = { tokenId: scene.market.yes, side: 'BUY', orderType: 'GTC', price: '0.01', size: '5000' }
      const answers = await together(
        Array.from({ length: spenders }, (_, n) => () => trader.call(url, 'POST', '/order', { ...order, clientOrderId: `spend-${n}` })),
      )
      const accepted = answers.filter(({ status }) => status === 200)
      const refused = answers.filter(({ status, body }) => status === 400 && body.code === 'insufficient_balance')
      const wrong: string[] = []
      if (accepted.length !== 1 || refused.length !== spenders - 1) wrong.push(`${accepted.length} accepted, ${refused.length} refused`)
      const open = (await trader.call(url, 'GET', '/data/orders')).body.data
      if (open.length !== 1 || open[0].id !== accepted[0]?.body.orderId) wrong.push(`${open.length} orders are open`)
      const { available, reserved } = (await trader.call(url, 'GET', '/balance-allowance?asset_type=COLLATERAL')).body
      if (available !== '0' || reserved !== '50000000') wrong.push(`${available} is free and ${reserved} held`)
      await trader.call(url, 'DELETE', '/cancel-all')
      return { facts: `${spenders} orders: ${accepted.length} acknowledged, ${refused.length} refused`, wrong }
    },
  },
  {
    name: 'withdrawal against match',
    must: 'the money leaves or is traded, never both, and a matched order stays matched',
    async run(scene, { withdrawals }): Promise<Seen> {
      const seen = await inPairs(scene, withdrawals, 10, (pair, n, outcomes) => withdraw(scene, pair, n, outcomes))
      return { facts: `${withdrawals} races: ${seen.cancelled} withdrawn, ${seen.filled} matched`, wrong: both(seen) }
    },
  },
]

/** A race that one side always wins proves nothing. With few rounds that may be chance: withdrawals win three of four or more. */
const JUDGED = 1000
const both = ({ cancelled, filled, wrong }: Outcomes): string[] =>
  (cancelled > 0 && filled > 0) || cancelled + filled < JUDGED ? wrong : [`one side always won: ${cancelled} to ${filled}`, ...wrong]

/** Runs so many rounds, several pairs in parallel. Each round is given how many its pair had before; takers begin with `usdc`. */
async function inPairs(
  scene: Scene,
  rounds: number,
  usdc: number,
  round: (pair: Pair, n: number, outcomes: Outcomes) => Promise<void>,
): Promise<Outcomes> {
  const outcomes: Outcomes = { cancelled: 0, filled: 0, wrong: [] }
  let left = rounds
  const run = async (name: string) => {
    const [maker, taker] = [await scene.newcomer(10_000_000), await scene.newcomer(usdc)]
    const pair = { market: await scene.openMarket(name), maker, taker, bought: 0 }
    for (let n = 0; left-- > 0; n++) await round(pair, n, outcomes)
    await maker.call(scene.writer.url, 'DELETE', '/cancel-all')
  }
  await Promise.all(Array.from({ length: Math.min(PAIRS, rounds) }, (_, index) => run(`race-${index}`)))
  return outcomes
}

/** A round of races: an order at each price, all of them cancelled and taken at once. */
async function race(scene: Scene, { market, maker, taker }: Pair, outcomes: Outcomes): Promise<void> {
  const { url } = scene.writer
  const { yes, no } = market
  const legs = PRICES.map((price) => ({
    tokenId: yes,
    side: 'BUY',
    orderType: 'GTC',
    price,
    size: SIZE,
    clientOrderId: crypto.randomUUID(),
  }))
  const ids = await placed(maker, url, legs)
  const cancels = ids.map((orderId) => () => maker.call(url, 'DELETE', '/order', { orderId }))
  const crossing = PRICES.map((price) => ({ tokenId: no, side: 'BUY', orderType: 'FAK', price: mirror(price), size: SIZE }))
  const takes = crossing.map((order) => () => taker.call(url, 'POST', '/order', { ...order, clientOrderId: crypto.randomUUID() }))
  const answers = await together([...cancels, ...takes])
  const found: { order: { state: string; size_matched: string } }[] = await told(() => maker.call(url, 'POST', '/data/orders', ids))
  let made = 0
  found.forEach(({ order }, index) => {
    const { status, body } = answers[index]!
    made += Number(order.size_matched)
    const isCancelled = status === 200 && order.state === 'cancelled' && body.order.size_matched === order.size_matched
    const isFilled = status === 409 && order.state === 'filled' && body.state === 'filled' && order.size_matched === SIZE
    if (isCancelled) outcomes.cancelled++
    else if (isFilled) outcomes.filled++
    else
      outcomes.wrong.push(
        `a cancel was answered ${status} ${JSON.stringify(body)}, and the order is ${order.state} with ${order.size_matched}`,
      )
  })
  const taken = answers.slice(ROUND).reduce((sum, { body }) => sum + Number(body.size_matched ?? 0), 0)
  if (taken !== made) outcomes.wrong.push(`takers got ${taken} shares, makers gave ${made}`)
}

/** A round of one race: all of an account's money is withdrawn and spent at once. */
async function withdraw(scene: Scene, pair: Pair, n: number, outcomes: Outcomes): Promise<void> {
  const { market, maker, taker } = pair
  const { url } = scene.writer
  const terms = { side: 'BUY', price: '0.5' }
  if (n % OFFERED === 0)
    await answered(() =>
      maker.call(url, 'POST', '/order', {
        ...terms,
        tokenId: market.no,
        orderType: 'GTC',
        size: String(20 * OFFERED),
        clientOrderId: `offer-${n}`,
      }),
    )
  const ref = `withdrawal-${taker.key.address}-${n}`
  const operator = await scene.operator()
  const [withdrawn, matched] = (await together([
    () => operator.call(url, 'POST', '/operator/withdrawals', { address: taker.key.address, amount: '10000000', ref }),
    () => taker.call(url, 'POST', '/order', { ...terms, tokenId: market.yes, orderType: 'FOK', size: '20', clientOrderId: ref }),
  ])) as [Reply, Reply]
  const codes = [withdrawn, matched].map(({ status, body }) => (status === 200 ? 'yes' : body.code)).join()
  if (codes === 'yes,insufficient_balance') outcomes.cancelled++
  else if (codes === 'insufficient_balance,yes') {
    outcomes.filled++
    pair.bought++
  } else outcomes.wrong.push(`withdrawal and match were answered ${codes}`)
  const balance = async (query: string) => told(() => taker.call(url, 'GET', `/balance-allowance?${query}`))
  const { available } = await balance('asset_type=COLLATERAL')
  const shares = (await balance(`asset_type=CONDITIONAL&token_id=${market.yes}`)).balance
  if (available !== '0' || shares !== String(pair.bought * 20_000_000))
    outcomes.wrong.push(`${available} USDC and ${shares} shares are left after ${pair.bought} matches`)
  await scene.give(taker, 10)
}
