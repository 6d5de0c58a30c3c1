import { termsOf } from '@augury/signing/amounts'
import type { OrderFields } from '@augury/signing/order-fields'
import { verifyOrder } from '@augury/signing/order-signature'
import { fc } from '@augury/testing/properties'
import type { Grid } from '@augury/units/price'
import { orderBody, type SignedBodyV1, type SignedBodyV2 } from '@augury/wire/order-body'
import { Chain, ClobClient, type CreateOrderOptions, OrderType, Side } from '@polymarket/clob-client'
import { ClobClient as NewerClient } from '@polymarket/clob-client-v2'
import { Wallet } from 'ethers5'
import { describe, expect, test } from 'vitest'

/** What the established clients build and sign, floating point and all, means to us what its author typed. */

const wallet = new Wallet(`0x${'ab'.repeat(32)}`)
const older = new ClobClient('http://127.0.0.1:1', Chain.AMOY, wallet)
const newer = new NewerClient({ host: 'http://127.0.0.1:1', chain: Chain.AMOY as never, signer: wallet as never })
const owner = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const tokenID = '71321045679252212594626385532706912750332728571942532289631379312455583992563'

const ticks = { '0.1': 1000, '0.01': 100, '0.001': 10, '0.0001': 1 } as const satisfies Record<string, Grid>
const markets = fc.constantFrom(...(Object.keys(ticks) as (keyof typeof ticks)[])).chain((tickSize) =>
  fc.record({
    tickSize: fc.constant(tickSize),
    steps: fc.integer({ min: 1, max: 10_000 / ticks[tickSize] - 1 }).map((count) => count * ticks[tickSize]),
  }),
)
const cents = fc.integer({ min: 500, max: 400_000 })
const sides = fc.constantFrom(Side.BUY, Side.SELL)
const kinds = fc.boolean()

/** The order as it would arrive, read by our schemas. */
function arrived(order: unknown, orderType: OrderType): SignedBodyV1 | SignedBodyV2 {
  const sent = JSON.parse(JSON.stringify(order)) as { side: unknown }
  // Version 1 signs 0 and 1, and sends words: that client's own serialiser is not exported.
  const side = sent.side === 0 ? 'BUY' : sent.side === 1 ? 'SELL' : sent.side
  return orderBody.parse({ order: { ...sent, side }, owner, orderType }) as SignedBodyV1 | SignedBodyV2
}

type Market = { tickSize: keyof typeof ticks; negRisk: boolean }
const clients = {
  'the older client': (user: object, market: Market, isMarket: boolean): Promise<unknown> => {
    const options = market as CreateOrderOptions
    return isMarket ? older.orderBuilder.buildMarketOrder(user as never, options) : older.orderBuilder.buildOrder(user as never, options)
  },
  'the newer client': async (user: object, market: Market, isMarket: boolean): Promise<unknown> => {
    const { orderBuilder } = newer
    return isMarket
      ? orderBuilder.buildMarketOrder(user as never, market as never, 2)
      : orderBuilder.buildOrder(user as never, market as never, 2)
  },
}

/** Terms of an order, once its signature was found to be the wallet's. */
async function termsAndSigner(order: unknown, market: Market, orderType: OrderType) {
  const body = arrived(order, orderType)
  const { signature, ...fields } = body.order
  const verified = await verifyOrder(fields as OrderFields, signature, market.negRisk, { chainId: Chain.AMOY, established: true })
  expect(verified).toMatchObject({ signedBy: wallet.address.toLowerCase() })
  const byBudget = body.order.side === 'BUY' && orderType === OrderType.FOK
  return termsOf(body.order.side, BigInt(body.order.makerAmount), BigInt(body.order.takerAmount), ticks[market.tickSize], byBudget)
}

describe.each(Object.keys(clients) as (keyof typeof clients)[])('%s', (name) => {
  const build = clients[name]

  test('signs limit orders whose price and size we read exactly', async () => {
    await fc.assert(
      fc.asyncProperty(markets, cents, sides, kinds, async ({ tickSize, steps }, lots, side, negRisk) => {
        const market = { tickSize, negRisk }
        const order = await build({ tokenID, price: steps / 10_000, size: lots / 100, side }, market, false)
        expect(await termsAndSigner(order, market, OrderType.GTC)).toEqual({ price: steps, lots, budget: 0 })
      }),
      { numRuns: 150 },
    )
  })

  test('signs market orders whose worst price, and budget or size, we read exactly', async () => {
    await fc.assert(
      fc.asyncProperty(markets, cents, sides, kinds, async ({ tickSize, steps }, count, side, negRisk) => {
        const market = { tickSize, negRisk }
        const order = await build({ tokenID, price: steps / 10_000, amount: count / 100, side }, market, true)
        const terms = side === Side.BUY ? { price: steps, lots: 0, budget: count * 10_000 } : { price: steps, lots: count, budget: 0 }
        expect(await termsAndSigner(order, market, OrderType.FOK)).toEqual(terms)
      }),
      { numRuns: 150 },
    )
  })
})
