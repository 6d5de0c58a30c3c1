import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { DEAD_MAN } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { Lanes } from '../src/access/lanes.ts'
import { DeadMan } from '../src/dead-man.ts'

const ANN = `0x${'a1'.repeat(20)}` as const
const BEN = `0x${'b2'.repeat(20)}` as const
const SILENCE = DEAD_MAN.usualMs + DEAD_MAN.graceMs

const deposit = (account: `0x${string}`, ref: string): Command => ({ type: 'deposit', account, amount: 1, ref: `0x${ref.repeat(64)}` })
/** Two accounts that have something. */
function funded(): Exchange {
  const exchange = new Exchange()
  for (const [at, account] of [ANN, BEN].entries()) {
    exchange.applyRow({ at: at + 1, commands: encodeCommand(deposit(account, String(at))) })
  }
  return exchange
}

/** A process that writes, its clock, and what it told the engine. */
function process(exchange = funded()) {
  const told: Command[] = []
  const status = { writer: 'primary', verified: true }
  let now = 0
  let broken: Error | null = null
  const lanes = new Lanes()
  const deadMan = new DeadMan({
    exchange,
    async submit(command) {
      if (broken) throw broken
      told.push(command)
      exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(command) })
    },
    ahead: (account) => lanes.ahead(account),
    status: () => status,
    onError: () => {},
    monotonic: () => now,
  })
  /** Lets time pass as the process sees it, a tick every 100 ms. */
  const pass = async (ms: number) => {
    for (const end = now + ms; now < end; ) {
      now += Math.min(100, end - now)
      deadMan.tick()
      await Promise.resolve()
    }
  }
  const fired = () => told.filter(({ type }) => type === 'cancel_all').map((command) => 'reason' in command && command.reason)
  return {
    ...{ exchange, told, status, deadMan, lanes, pass, fired },
    freeze: (ms: number) => {
      now += ms
    },
    /** Commands fail from now on, or no longer. */
    break: (error: Error | null) => {
      broken = error
    },
  }
}

test('a chain of heartbeats keeps orders alive at the cost of one command; silence beyond the grace ends them', async () => {
  const { deadMan, pass, fired, told } = process()
  let id = ''
  for (let beat = 0; beat < 5; beat++) {
    id = await deadMan.beat(ANN, id, DEAD_MAN.usualMs)
    await pass(SILENCE - 100)
  }
  expect([told.length, fired()]).toEqual([1, []])
  await pass(100)
  expect(fired()).toEqual(['heartbeat'])
  await pass(2 * SILENCE)
  expect(fired()).toEqual(['heartbeat'])
})

test('a heartbeat without an id keeps orders alive as well, and a chain of ids begins anew after it', async () => {
  const { deadMan, pass, fired, told } = process()
  for (let beat = 0; beat < 3; beat++) {
    await deadMan.plainBeat(ANN)
    await pass(SILENCE - 100)
  }
  expect([told.length, fired()]).toEqual([1, []])
  const id = await deadMan.beat(ANN, '', DEAD_MAN.usualMs)
  await deadMan.plainBeat(ANN)
  await expect(deadMan.beat(ANN, id, DEAD_MAN.usualMs)).rejects.toMatchObject({ code: 'stale_heartbeat', extras: { heartbeat_id: '' } })
  await deadMan.beat(ANN, '', DEAD_MAN.usualMs)
  await pass(SILENCE)
  expect(fired()).toEqual(['heartbeat'])
})

test('for an account that has nothing no command is spent; its switch is one with its first money, and fires', async () => {
  const { deadMan, pass, fired, told, exchange } = process(new Exchange())
  for (const timeout of [1000, 2000, 3000]) await deadMan.cancelAfter(ANN, timeout)
  await pass(3000)
  await deadMan.connected(ANN)
  deadMan.disconnected(ANN)
  await deadMan.cancelAfter(ANN, 5000)
  await pass(1000)
  expect([told, exchange.deadMen()]).toEqual([[], []])
  exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(deposit(ANN, '1')) })
  await pass(100)
  expect([told.map(({ type }) => type), exchange.deadMen()]).toMatchObject([['dead_man'], [{ account: ANN }]])
  await pass(3900)
  expect([fired(), exchange.deadMen()]).toEqual([['heartbeat'], []])
})

test('an id that is not the last answer is refused with the one that is right, and is no sign of life', async () => {
  const { deadMan, pass, fired } = process()
  const wrong = (id: string) => deadMan.beat(ANN, id, 1000).catch((error) => [error.code, error.body().heartbeat_id])
  expect(await wrong('from another life')).toEqual(['stale_heartbeat', ''])
  const first = await deadMan.beat(ANN, '', 1000)
  const second = await deadMan.beat(ANN, first, 1000)
  await pass(1000 + DEAD_MAN.graceMs - 100)
  expect(await wrong(first)).toEqual(['stale_heartbeat', second])
  expect(await wrong('')).toEqual(['stale_heartbeat', second])
  await pass(100)
  expect(fired()).toEqual(['heartbeat'])
  expect(await wrong(second)).toEqual(['stale_heartbeat', ''])
})

test('cancel-after counts from its last word, without grace, and 0 disarms', async () => {
  const { deadMan, pass, fired, exchange } = process()
  await deadMan.cancelAfter(ANN, 2000)
  await pass(1900)
  await deadMan.cancelAfter(ANN, 2000)
  await pass(1900)
  expect(fired()).toEqual([])
  await deadMan.cancelAfter(ANN, 0)
  await pass(10_000)
  expect([fired(), exchange.deadMen()]).toEqual([[], []])
  await deadMan.cancelAfter(ANN, 1000)
  await pass(1000)
  expect([fired(), exchange.deadMen()]).toEqual([['heartbeat'], []])
})

test('the end of a socket fires at once, every time', async () => {
  const { deadMan, pass, fired, exchange } = process()
  await deadMan.connected(ANN)
  await deadMan.connected(ANN)
  await pass(60_000)
  expect(fired()).toEqual([])
  deadMan.disconnected(ANN)
  await pass(100)
  expect([fired(), exchange.deadMen().length]).toEqual([['disconnect'], 1])
  deadMan.disconnected(ANN)
  await pass(100)
  expect([fired(), exchange.deadMen()]).toEqual([['disconnect', 'disconnect'], []])
})

test('what was sent before the end and is looked at for longer does not stay behind, and what comes later is left alone', async () => {
  const { deadMan, lanes, pass, told } = process()
  const order = (name: string): Command => ({ type: 'cancel', account: ANN, orderId: `0x${name.repeat(32)}` })
  const send = (command: Command, prepared: Promise<void> | void) =>
    lanes.run(
      ANN,
      () => prepared,
      async () => void told.push(command),
    )
  await deadMan.connected(ANN)
  const verified = Promise.withResolvers<void>()
  const sent = send(order('01'), verified.promise)
  deadMan.disconnected(ANN)
  const later = send(order('02'))
  await pass(100)
  expect(told.map(({ type }) => type)).toEqual(['dead_man', 'cancel_all', 'dead_man'])
  verified.resolve()
  await Promise.all([sent, later])
  await pass(100)
  expect(told.slice(3)).toMatchObject([order('01'), { type: 'cancel_all', reason: 'disconnect' }, order('02')])
})

test('whoever takes over gives each armed account one full timeout, with any id first', async () => {
  const before = process()
  const id = await before.deadMan.beat(ANN, '', 2000)
  await before.deadMan.connected(BEN)
  await before.pass(6000)
  const after = process(before.exchange)
  after.status.writer = 'standby'
  await after.pass(60_000)
  after.status.writer = 'primary'
  await after.pass(6900)
  expect(after.fired()).toEqual([])
  await after.deadMan.beat(ANN, id, 2000)
  await after.pass(6900)
  expect(after.fired()).toEqual([])
  await after.pass(2000)
  expect(after.told.filter(({ type }) => type === 'cancel_all')).toMatchObject([
    { account: ANN, reason: 'heartbeat' },
    { account: BEN, reason: 'disconnect' },
  ])
})

test('a socket that comes back after a takeover in time is no disconnection', async () => {
  const before = process()
  await before.deadMan.connected(BEN)
  const after = process(before.exchange)
  await after.pass(SILENCE - 200)
  await after.deadMan.connected(BEN)
  await after.pass(10 * SILENCE)
  expect(after.fired()).toEqual([])
})

test('a socket that we cut off ourselves is no disconnection when it comes back in one full timeout', async () => {
  const { deadMan, pass, fired, status, exchange } = process()
  for (const account of [ANN, BEN]) await deadMan.connected(account)
  status.verified = false
  for (const account of [ANN, BEN]) deadMan.cutOff(account)
  await pass(60_000)
  status.verified = true
  await pass(SILENCE - 200)
  await deadMan.connected(ANN)
  await pass(60_000)
  expect([fired(), exchange.deadMen()]).toMatchObject([['disconnect'], [{ account: ANN, reason: 'disconnect' }]])
  deadMan.disconnected(ANN)
  expect(fired()).toEqual(['disconnect', 'disconnect'])
})

test('heartbeats go on counting when a socket beside them was cut off', async () => {
  const { deadMan, pass, fired } = process()
  const id = await deadMan.beat(ANN, '', 2000)
  await deadMan.connected(ANN)
  deadMan.cutOff(ANN)
  await pass(6900)
  await deadMan.beat(ANN, id, 2000)
  await pass(6900)
  expect(fired()).toEqual([])
  await pass(200)
  expect(fired()).toEqual(['heartbeat'])
})

test('a time in which nobody could be heard is nobody’s silence', async () => {
  const { deadMan, pass, fired, freeze, status } = process()
  await deadMan.cancelAfter(ANN, 2000)
  freeze(60_000)
  await pass(1900)
  status.verified = false
  await pass(60_000)
  status.verified = true
  expect(fired()).toEqual([])
  await pass(200)
  expect(fired()).toEqual(['heartbeat'])
})

test('what could not be fired is fired again', async () => {
  const one = process()
  await one.deadMan.cancelAfter(ANN, 1000)
  one.break(new Error('away'))
  await one.pass(3000)
  expect(one.fired()).toEqual([])
  one.break(null)
  await one.pass(200)
  expect([one.fired(), one.exchange.deadMen()]).toEqual([['heartbeat'], []])
})

test.each([
  ['heartbeat', new Error('away'), []],
  ['heartbeat', new ServiceError('overloaded'), []],
  ['disconnect', new Error('away'), ['disconnect']],
])('a %s that could not be fired (%s) and was followed by a sign of life fires %j', async (reason, error, fires) => {
  const { deadMan, pass, fired, freeze, break: fail } = process()
  if (reason === 'disconnect') await deadMan.connected(ANN)
  else await deadMan.cancelAfter(ANN, 1000)
  fail(error)
  freeze(1000)
  if (reason === 'disconnect') deadMan.disconnected(ANN)
  else deadMan.tick()
  fail(null)
  freeze(1)
  await deadMan.plainBeat(ANN)
  await pass(SILENCE - 100)
  expect(fired()).toEqual(fires)
})

test('one that could not be fired is fired again although nobody could be heard in between', async () => {
  const { deadMan, pass, fired, freeze, status, break: fail } = process()
  await deadMan.cancelAfter(ANN, 1000)
  fail(new Error('away'))
  freeze(1000)
  deadMan.tick()
  status.verified = false
  await pass(1000)
  status.verified = true
  fail(null)
  await pass(200)
  expect(fired()).toEqual(['heartbeat'])
})

const refused = new ServiceError('overloaded')

test('a switch that could not be armed fires nothing; one that could not be changed stays as it was', async () => {
  const { deadMan, pass, fired, exchange, break: fail } = process()
  fail(refused)
  await expect(deadMan.beat(ANN, '', 1000)).rejects.toBe(refused)
  await expect(deadMan.cancelAfter(BEN, 1000)).rejects.toBe(refused)
  fail(null)
  await pass(60_000)
  expect([fired(), exchange.deadMen()]).toEqual([[], []])

  const id = await deadMan.beat(ANN, '', 2000)
  fail(refused)
  await expect(deadMan.beat(ANN, id, 60_000)).rejects.toBe(refused)
  await expect(deadMan.cancelAfter(ANN, 0)).rejects.toBe(refused)
  fail(null)
  await pass(2000)
  await deadMan.beat(ANN, id, 2000)
  await pass(2000 + DEAD_MAN.graceMs)
  expect([fired(), exchange.deadMen()]).toEqual([['heartbeat'], []])
})

test('a socket that could not be promised anything fires nothing when it ends; beside it another one does', async () => {
  const { deadMan, pass, fired, exchange, break: fail } = process()
  fail(refused)
  await expect(deadMan.connected(ANN)).rejects.toBe(refused)
  fail(null)
  deadMan.disconnected(ANN)
  await pass(100)
  expect([fired(), exchange.deadMen()]).toEqual([[], []])
  await deadMan.connected(ANN)
  deadMan.disconnected(ANN)
  await pass(100)
  expect([fired(), exchange.deadMen()]).toEqual([['disconnect'], []])
})

test('heartbeats and a socket are one switch: what fires it ends both, and either arms it again', async () => {
  const { deadMan, pass, fired } = process()
  const id = await deadMan.beat(ANN, '', 2000)
  await deadMan.connected(ANN)
  deadMan.disconnected(ANN)
  await pass(60_000)
  expect(fired()).toEqual(['disconnect'])
  await expect(deadMan.beat(ANN, id, 2000)).rejects.toMatchObject({ code: 'stale_heartbeat' })
  await deadMan.connected(ANN)
  await deadMan.beat(ANN, '', 2000)
  await pass(60_000)
  expect(fired()).toEqual(['disconnect', 'heartbeat']) // the socket is still open, and all is said
  deadMan.disconnected(ANN)
  await pass(100)
  expect(fired()).toEqual(['disconnect', 'heartbeat', 'disconnect'])
})

test('after a takeover any first id counts, whatever else was asked for before it', async () => {
  const before = process()
  const id = await before.deadMan.beat(ANN, '', 2000)
  const after = process(before.exchange)
  await after.deadMan.cancelAfter(ANN, 5000)
  await expect(after.deadMan.beat(ANN, id, 2000)).resolves.toEqual(expect.any(String))
})
