import { fc } from '@augury/testing/properties'
import type { Command, Hex, Place } from '../src/command.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((key): Hex => `0x${Buffer.from(key).toString('hex')}`)
const address = hex(20)
const hash = hex(32)
const count = fc.maxSafeNat()
const word = fc.nat(0xffff_ffff)
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })

const place: fc.Arbitrary<Place> = fc.record({
  type: fc.constant('place'),
  orderId: hash,
  account: address,
  condition: hash,
  outcome: fc.constantFrom(0, 1),
  side: fc.constantFrom('BUY', 'SELL'),
  orderType: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  price: word,
  lots: count,
  budget: count,
  expiration: count,
  postOnly: fc.boolean(),
  selfTrade: fc.constantFrom('expire_maker', 'expire_taker', 'expire_both', 'decrement', 'none'),
  deployment: orNull(address),
  annex: fc.uint8Array({ maxLength: 160 }),
})

const type = <T extends string>(name: T) => fc.constant(name)

/** Any command that can be written, sensible or not. */
export const commands: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: place, weight: 5 },
  fc.record({ type: type('cancel'), account: address, orderId: hash }),
  fc.record({ type: type('cancel_in_batch'), account: address, orderId: hash }),
  fc.record({
    type: type('cancel_all'),
    account: address,
    condition: orNull(hash),
    outcome: fc.constantFrom(null, 0, 1),
    reason: fc.constantFrom('user', 'cancel_all', 'market_cancel', 'heartbeat', 'disconnect', 'admin'),
  }),
  fc.record({ type: type('reduce'), account: address, orderId: hash, lots: count }),
  fc.record({
    type: type('replace'),
    cancel: hash,
    requireCancel: fc.boolean(),
    onlyIf: fc.oneof(fc.constantFrom('any', 'unfilled', 'partially_filled'), fc.record({ matched: count })),
    place,
  }),
  fc.record({ type: type('deposit'), account: address, amount: count, ref: hash }),
  fc.record({ type: type('withdraw'), account: address, amount: count, ref: hash }),
  fc.record({ type: type('end_withdrawal'), ref: hash, outcome: fc.constantFrom('settled', 'returned') }),
  fc.record({ type: fc.constantFrom('split', 'merge'), account: address, condition: hash, lots: count, request: hash }),
  fc.record({
    type: type('convert'),
    account: address,
    event: hash,
    conditions: fc.array(hash, { maxLength: 5 }),
    lots: count,
    request: hash,
  }),
  fc.record({ type: type('redeem'), account: address, condition: hash, request: hash }),
  fc.record({ type: type('redeem_all'), condition: hash, limit: word }),
  fc.record({
    type: type('register'),
    condition: hash,
    creator: address,
    grid: word,
    minLots: count,
    minNotional: count,
    feeBps: word,
    rebateBps: word,
    affiliateBps: word,
    event: orNull(fc.record({ id: hash, size: word })),
  }),
  fc.record({
    type: type('set_condition'),
    condition: hash,
    mode: fc.constantFrom(null, 'open', 'paused', 'cancel_only', 'closed'),
    grid: orNull(word),
    feeBps: orNull(word),
  }),
  fc.record({ type: type('resolve'), condition: hash, weight: word }),
  fc.record({ type: type('sweep'), limit: word }),
  fc.record({ type: type('set_mode'), mode: fc.constantFrom('normal', 'post_only', 'cancel_only', 'paused') }),
  fc.record({
    type: type('set_account'),
    account: address,
    referrer: orNull(address),
    tier: orNull(word),
    stpGroup: orNull(word),
    banned: orNull(fc.boolean()),
  }),
  fc.record({ type: type('dead_man'), account: address, deadline: count, reason: fc.constantFrom('heartbeat', 'disconnect') }),
  fc.record({ type: type('upgrade'), rules: word }),
) as fc.Arbitrary<Command>
