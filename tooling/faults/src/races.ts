import type { Fault, Seen } from './faults.ts'
import type { Scene } from './scene.ts'
import type { Reply, Trader } from './trader.ts'

/** Orders of one round: each at a price of its own. */
const ROUND = 12
const SIZE = '5'
const PRICES = Array.from({ length: ROUND }, (_, index) => `0.${30 + index}`)
const mirror = (price: string): string => (1 - Number(price)).toFixed(2)

/** What several ask at once, in an order that chance makes. */
async function together<Answer>(asks: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const order = asks.map((_, index) => index).sort(() => Math.random() - 0.5)
  const answers: Answer[] = []
  await Promise.all(order.map(async (index) => (answers[index] = await asks[index]!())))
  return answers
}

/** Asks until there is an answer: an order of the same name is one order, however often it is sent. */
async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  for (let patience = 10; ; patience--) {
    try {
      return await ask()
    } catch (error) {
      if (patience === 0) throw error
    }
  }
}

/** Things that happen at the same moment, of which only one can: each answer is held against what is so in the end. */
export const races: readonly Fault[] = [
  {
    name: 'cancel against match',
    must: 'an order is cancelled, and was not filled afterwards, or filled, and its cancel says so: never both, never neither',
    async run(scene, { races: count }) {
      const [maker, taker] = [await scene.newcomer(10_000_000), await scene.newcomer(10_000_000)]
      const seen = { cancelled: 0, filled: 0 }
      const wrong: string[] = []
      for (let done = 0; done < count; done += ROUND) await race(scene, maker, taker, seen, wrong)
      return {
        facts: `${seen.cancelled + seen.filled} races: ${seen.cancelled} cancelled, ${seen.filled} filled`,
        wrong: both(seen, wrong),
      }
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
        Array.from(
          { length: spenders },
          (_, n) => () => answered(() => trader.call(url, 'POST', '/order', { ...order, clientOrderId: `spend-${n}` })),
        ),
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
    async run(scene, { withdrawals }) {
      const [maker, taker] = [await scene.newcomer(10_000_000), await scene.newcomer(10)]
      const { url } = scene.writer
      const { market } = scene
      const resting = { tokenId: market.no, side: 'BUY', orderType: 'GTC', price: '0.5', size: String(withdrawals * 20) }
      await maker.call(url, 'POST', '/order', resting)
      const operator = await scene.operator()
      const seen = { cancelled: 0, filled: 0 }
      const wrong: string[] = []
      for (let n = 0; n < withdrawals; n++) {
        const ref = `withdrawal-${taker.key.address}-${n}`
        const [withdrawn, matched] = (await together([
          () => operator.call(url, 'POST', '/operator/withdrawals', { address: taker.key.address, amount: '10000000', ref }),
          () =>
            taker.call(url, 'POST', '/order', {
              tokenId: market.yes,
              side: 'BUY',
              orderType: 'FOK',
              price: '0.5',
              size: '20',
              clientOrderId: ref,
            }),
        ])) as [Reply, Reply]
        const codes = [withdrawn, matched].map(({ status, body }) => (status === 200 ? 'yes' : body.code))
        if (codes.join() === 'yes,insufficient_balance') seen.cancelled++
        else if (codes.join() === 'insufficient_balance,yes') seen.filled++
        else wrong.push(`withdrawal and match were answered ${codes}`)
        const { available } = (await taker.call(url, 'GET', '/balance-allowance?asset_type=COLLATERAL')).body
        const shares = (await taker.call(url, 'GET', `/balance-allowance?asset_type=CONDITIONAL&token_id=${market.yes}`)).body.balance
        if (available !== '0' || shares !== String(seen.filled * 20_000_000)) wrong.push(`${available} USDC and ${shares} shares are left`)
        await scene.give(taker, 10)
      }
      await maker.call(url, 'DELETE', '/cancel-all')
      return { facts: `${withdrawals} races: ${seen.cancelled} withdrawn, ${seen.filled} matched`, wrong: both(seen, wrong) }
    },
  },
]

/** A race that one side always wins was none. */
const both = ({ cancelled, filled }: { cancelled: number; filled: number }, wrong: string[]): string[] =>
  cancelled > 0 && filled > 0 ? wrong : [`one side always won: ${cancelled} to ${filled}`, ...wrong]

async function race(
  scene: Scene,
  maker: Trader,
  taker: Trader,
  seen: { cancelled: number; filled: number },
  wrong: string[],
): Promise<void> {
  const { url } = scene.writer
  const { yes, no } = scene.market
  const legs = PRICES.map((price) => ({
    tokenId: yes,
    side: 'BUY',
    orderType: 'GTC',
    price,
    size: SIZE,
    clientOrderId: crypto.randomUUID(),
  }))
  const placed: { orderId: string }[] = (await maker.call(url, 'POST', '/orders', legs)).body
  const ids = placed.map(({ orderId }) => orderId)
  const cancels = ids.map((orderId) => () => maker.call(url, 'DELETE', '/order', { orderId }))
  const crossing = PRICES.map((price) => ({ tokenId: no, side: 'BUY', orderType: 'FAK', price: mirror(price), size: SIZE }))
  const takes = crossing.map((order) => () => taker.call(url, 'POST', '/order', { ...order, clientOrderId: crypto.randomUUID() }))
  const answers = await together([...cancels, ...takes])
  const found: { order: { state: string; size_matched: string } }[] = (await maker.call(url, 'POST', '/data/orders', ids)).body
  let made = 0
  found.forEach(({ order }, index) => {
    const { status, body } = answers[index]!
    made += Number(order.size_matched)
    const isCancelled = status === 200 && order.state === 'cancelled' && body.order.size_matched === order.size_matched
    const isFilled = status === 409 && order.state === 'filled' && body.state === 'filled' && order.size_matched === SIZE
    if (isCancelled) seen.cancelled++
    else if (isFilled) seen.filled++
    else wrong.push(`a cancel was answered ${status} ${JSON.stringify(body)}, and the order is ${order.state} with ${order.size_matched}`)
  })
  const taken = answers.slice(ROUND).reduce((sum, { body }) => sum + Number(body.size_matched ?? 0), 0)
  if (taken !== made) wrong.push(`takers got ${taken} shares, makers gave ${made}`)
}
