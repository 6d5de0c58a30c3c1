import { randomUUID } from 'node:crypto'
import { NoAnswerError } from '@augury/client/answer'
import type { Answer } from '@augury/client/rest'
import { openTrading, tradingUrl } from '@augury/client/trading'
import type { OrderRequest } from '@augury/wire/order-body'
import { orderType } from '@augury/wire/scalars'
import type { Arguments, Command, Session } from '../command.ts'
import { Failure, misuse } from '../failure.ts'
import { findMarket, outcomeOf } from '../find-market.ts'

const TYPES = orderType.options
type PlainOrder = Extract<OrderRequest, { tokenId: string }>

/** Places an order. */
export const order: Command = {
  usage: 'buy|sell MARKET [OUTCOME] (--price P --size SHARES | --amount A [--price WORST]) [--type TYPE]',
  about: 'Place an order: a limit order with --size, a market order with --amount (USDC to spend, or shares to sell).',
  flags: {
    price: { value: 'P', about: 'USDC per share, such as 0.42.' },
    size: { value: 'SHARES', about: 'Shares of a limit order.' },
    amount: { value: 'A', about: 'Buy: USDC to spend. Sell: shares.' },
    type: { value: 'TYPE', about: 'GTC, GTD, FOK or FAK; GTC for --size, GTD with --expires, FAK for --amount.' },
    expires: { value: 'WHEN', about: 'Ends a GTD order: 90m, 6h, 2d from now, or an ISO time.' },
    'post-only': { about: 'Refuse the order if it would trade at once.' },
    socket: { about: 'Send the order over the trading socket in place of HTTP.' },
    'client-id': { value: 'ID', about: 'Client order ID. The same ID again is the same order. Default: random.' },
  },
  words: [2, 3],
  async run(session, args) {
    const [side = '', name = '', word] = args.words
    if (side !== 'buy' && side !== 'sell') throw misuse('an order is to buy or to sell')
    const found = await findMarket(session.visitor, name)
    const outcome = outcomeOf(found, word)
    if (outcome === null) throw misuse(`which outcome: ${found.market.tokens.map((token) => token.outcome).join(' or ')}?`)
    const body: PlainOrder & { clientOrderId: string } = {
      ...terms(args),
      tokenId: found.market.tokens[outcome]!.token_id,
      side: side === 'buy' ? 'BUY' : 'SELL',
      clientOrderId: args.flag('client-id') ?? randomUUID(),
    }
    const placed = await place(session, body, args.given('socket')).catch((error: unknown) => {
      if (!(error instanceof NoAnswerError)) throw error
      // A repeated command must have the same absolute time to be the same order.
      const until = body.expiration === undefined ? '' : ` --expires ${new Date(Number(body.expiration) * 1000).toISOString()}`
      const again = `Whether it was placed is unknown. The same command with --client-id ${body.clientOrderId}${until} asks for the same order.`
      throw new Failure('no_answer', `${error.message}. ${again}`, 3, { clientOrderId: body.clientOrderId })
    })
    const { state, size_matched, remaining_size, avg_price, orderId } = placed
    const matched = Number(size_matched) > 0 ? `, ${size_matched} shares at ${avg_price}` : ''
    const isOpen = state === 'live' || state === 'partially_filled'
    session.show(placed, () => `${state}${matched}${isOpen ? `, ${remaining_size} open` : ''}\n${orderId}`)
  },
}

/** Places it over HTTP, or over a trading socket that is open for as long as that takes. */
async function place(session: Session, body: PlainOrder, overSocket: boolean): Promise<Answer<'placeOrder'>> {
  const client = await session.trader()
  if (!overSocket) return client.placeOrder({ body })
  const trading = openTrading({ url: tradingUrl(session.url), apiKey: await session.apiKey(), client })
  try {
    return await trading.placeOrder({ body })
  } finally {
    trading.close()
  }
}

/** The order's terms from the flags; the service validates the numbers. */
function terms({ flag, given }: Arguments): Omit<PlainOrder, 'tokenId' | 'side'> {
  const [price, size, amount, expires] = [flag('price'), flag('size'), flag('amount'), flag('expires')]
  if ((size === undefined) === (amount === undefined)) throw misuse('give either --size or --amount')
  if (size !== undefined && price === undefined) throw misuse('--size needs a --price')
  const usual = amount !== undefined ? 'FAK' : expires !== undefined ? 'GTD' : 'GTC'
  const type = TYPES.find((each) => each === (flag('type') ?? usual).toUpperCase())
  if (!type) throw misuse(`--type is one of ${TYPES.join(', ')}`)
  return {
    orderType: type,
    ...(price === undefined ? {} : { price }),
    ...(size === undefined ? {} : { size }),
    ...(amount === undefined ? {} : { amount }),
    ...(expires === undefined ? {} : { expiration: readMoment(expires, Date.now()) }),
    ...(given('post-only') ? { postOnly: true } : {}),
  }
}

const SECONDS = { m: 60, h: 3600, d: 86_400 } as const

/** Unix seconds of `90m`, `6h`, `2d` from now, or of an ISO time. */
export function readMoment(text: string, nowMs: number): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return Math.floor(nowMs / 1000) + Number(count) * SECONDS[unit as keyof typeof SECONDS]
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) throw misuse('--expires is a time such as 90m, 6h, 2d or 2030-01-31T12:00:00Z')
  return Math.floor(moment / 1000)
}
