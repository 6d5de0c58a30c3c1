import { encodeCommand } from '@augury/engine/codec'
import type { Command, Hex } from '@augury/engine/command'
import { restoreSnapshot, takeSnapshot } from '@augury/engine/snapshot'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import type { Result } from '../src/record/log/applied-row.ts'
import { OutcomeUnknown } from '../src/record/log/outcome-unknown.ts'
import type { Trader } from '../src/serve/access/identity.ts'
import { Lanes } from '../src/serve/access/lanes.ts'
import { Shares } from '../src/serve/access/shares.ts'
import { cancelAll, cancelMarketOrders } from '../src/serve/operations/cancel-all.ts'
import { cancelOrders } from '../src/serve/operations/cancel-order.ts'
import type { Context } from '../src/serve/operations/context.ts'
import { submitOwn } from '../src/serve/operations/submit-own.ts'
import { LookUps } from '../src/serve/state/look-ups.ts'
import { OrderNames } from '../src/serve/state/order-names.ts'
import { UnderWay } from '../src/serve/state/under-way.ts'
import { address, deposit, id, place, register } from './commands.ts'
import { clobDatabase, startVenue } from './fixture.ts'

const rain = id('rain')
const snow = id('snow')
let n = 0

/** An exchange with two markets in which Ann and Bob have money, and what Ann asks of it. */
async function opened() {
  const venue = await startVenue(await clobDatabase())
  for (const command of [register('rain'), register('snow'), deposit('ann', 1000), deposit('bob', 1000)]) await venue.submit(command)
  const lanes = new Lanes()
  const underWay = new UnderWay(lanes)
  const markets = { market: (condition: Hex) => (venue.exchange.condition(condition) ? { condition } : null) }
  const lookUps = new LookUps(venue)
  const reads = new Shares(2, 1000)
  const unexpected = (error: Error) => {
    throw error
  }
  const orderNames = new OrderNames(venue, lookUps, async () => {}, unexpected)
  const ctx = { venue, exchange: venue.exchange, lanes, underWay, markets, lookUps, reads, orderNames } as unknown as Context
  const traderOf = (name: string) => ({ account: address(name) }) as Trader
  const ann = traderOf('ann')
  return {
    ctx,
    ann,
    seq: () => venue.exchange.seq,
    /** Places an order that is ready after `prepared`, at once unless told. */
    order(
      name = `order ${n++}`,
      { prepared, condition = rain, by = 'ann' }: { prepared?: Promise<void>; condition?: Hex; by?: string } = {},
    ) {
      const command = place(name, by, 'BUY', 0, 10, 1, { condition })
      const result = lanes.run(
        command.account,
        () => prepared,
        () => submitOwn(ctx, command.account, command),
      )
      return { id: command.orderId, result }
    },
    all: () => cancelAll(ctx, ann),
    allOf: (market: Hex) => cancelMarketOrders(ctx, ann, { body: { market } }),
    some: (...ids: string[]) => cancelOrders(ctx, ann, { body: ids }),
  }
}

test('where nothing is open, nothing is written down, however often it is asked for', async () => {
  const { order, all, allOf, some, seq } = await opened()
  const [ended, elsewhere, others] = [order(), order('elsewhere', { condition: snow }), order('of bob', { by: 'bob' })]
  await Promise.all([ended.result, elsewhere.result, others.result])
  expect(await some(ended.id)).toEqual({ canceled: [ended.id], not_canceled: {} })
  const before = seq()
  for (let time = 0; time < 20; time++) expect(await allOf(rain)).toEqual({ canceled: [], not_canceled: {} })
  const unknown = Array.from({ length: 500 }, (_, index) => id(`unknown ${index}`))
  const { canceled, not_canceled } = await some(ended.id, others.id, ...unknown)
  expect([canceled, not_canceled[ended.id], not_canceled[others.id], not_canceled[unknown[7]!]]).toEqual([
    [],
    'Order is already filled or cancelled',
    'Order belongs to another user',
    'Order not found',
  ])
  expect(seq()).toBe(before)
  expect(await all()).toEqual({ canceled: [elsewhere.id], not_canceled: {} })
  expect(seq()).toBe(before + 1)
})

test('any text as an id gets a result', async () => {
  const { some } = await opened()
  expect(Object.entries((await some('__proto__', 'constructor')).not_canceled)).toEqual([
    ['__proto__', 'Order not found'],
    ['constructor', 'Order not found'],
  ])
})

test('an order past its time that no sweep has reached yet is ended as expired, and not told as cancelled', async () => {
  const { ctx, order, ann } = await opened()
  const stays = order('stays')
  await stays.result
  const seconds = Math.ceil(ctx.exchange.at / 1000) + 60
  const { orderId } = place('expires', 'ann', 'BUY', 0, 10, 1)
  const exchange = restoreSnapshot(takeSnapshot(ctx.exchange))
  const apply = (at: number, command: Command) => exchange.applyRow({ at, commands: encodeCommand(command) })[0]!
  apply(exchange.at, place('expires', 'ann', 'BUY', 0, 10, 1, { orderType: 'GTD', expiration: seconds }))
  const venue = { submit: async (command: Command) => ({ at: 0, ...apply(seconds * 1000, command) }) }
  expect(await cancelAll({ ...ctx, exchange, venue } as unknown as Context, ann)).toEqual({ canceled: [stays.id], not_canceled: {} })
  expect([exchange.order(orderId)?.state, exchange.hasOpenOrder(ann.account, null, null)]).toEqual(['expired', false])
})

test('of many who ask for the same end at once one is written down, and the others find nothing', async () => {
  const { order, all, allOf, seq } = await opened()
  const { id: orderId, result } = order()
  await result
  const before = seq()
  const ends = await Promise.all(Array.from({ length: 300 }, all))
  expect(ends.filter(({ canceled }) => canceled.length > 0)).toEqual([{ canceled: [orderId], not_canceled: {} }])
  expect(seq()).toBe(before + 1)
  const [here, there] = [order(), order('there', { condition: snow })]
  await Promise.all([here.result, there.result])
  const both = await Promise.all([allOf(rain), allOf(snow)])
  expect(both.map(({ canceled }) => canceled)).toEqual([[here.id], [there.id]])
})

test.each(['at once', 'when its signature is looked at'])(
  'what was sent before is ended, ready %s, and what is sent after it stays',
  async (when) => {
    const { ctx, order, all, allOf, some } = await opened()
    const prepared = when === 'at once' ? {} : { prepared: new Promise<void>((resolve) => setTimeout(resolve, 20)) }
    for (const end of [all, () => allOf(rain), (orderId: string) => some(orderId)]) {
      const before = order(undefined, prepared)
      const ended = end(before.id)
      const after = order()
      await Promise.all([before.result, after.result])
      expect(await ended).toEqual({ canceled: [before.id], not_canceled: {} })
      expect(ctx.exchange.order(after.id)?.state).toBe('live')
      await all()
    }
  },
)

const unknown = () => Promise.reject<Result>(new OutcomeUnknown())
const answer = { seq: 0, at: 0, events: [] }

test('while the outcome of an order is unknown, a cancel of it is journaled, until a later request is answered', async () => {
  const { ctx, ann, all, some, seq } = await opened()
  await expect(ctx.underWay.track(ann.account, unknown())).rejects.toThrow(OutcomeUnknown)
  const before = seq()
  await some(id('lost'))
  await some(id('lost'))
  expect(seq()).toBe(before + 2)
  await all()
  expect(seq()).toBe(before + 3)
  await all()
  await some(id('lost'))
  expect(seq()).toBe(before + 3)
})

test('a doubt ends neither with what was sent before it nor with what was certainly not written', async () => {
  const { ctx, ann } = await opened()
  const { underWay } = ctx
  const [early, between] = [Promise.withResolvers<Result>(), Promise.withResolvers<Result>()]
  const sentEarly = underWay.track('early', early.promise)
  await expect(underWay.track(ann.account, unknown())).rejects.toThrow(OutcomeUnknown)
  early.resolve(answer)
  await sentEarly
  expect(await underWay.settled(ann.account)).toBe(false)
  await expect(underWay.track('refused', Promise.reject(new ServiceError('overloaded')))).rejects.toThrow(ServiceError)
  expect(await underWay.settled(ann.account)).toBe(false)
  const sentBetween = underWay.track('between', between.promise)
  await expect(underWay.track(ann.account, unknown())).rejects.toThrow(OutcomeUnknown)
  between.resolve(answer)
  await sentBetween
  expect(await underWay.settled(ann.account)).toBe(false)
  await underWay.track('later', Promise.resolve(answer))
  expect(await underWay.settled(ann.account)).toBe(true)
  expect(underWay.has(ann.account)).toBe(false)
})
