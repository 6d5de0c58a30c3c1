import { DEAD_MAN } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { ANN, BEN, process, SILENCE } from './dead-man-process.ts'

test('a new writer gives each armed account one full timeout, with any id first', async () => {
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

test('time without a writer does not count as an account’s silence', async () => {
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

test('one that could not be fired is fired again despite a time without a writer in between', async () => {
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

test('after a takeover any first id counts, whatever else was asked for before it', async () => {
  const before = process()
  const id = await before.deadMan.beat(ANN, '', 2000)
  const after = process(before.exchange)
  await after.deadMan.cancelAfter(ANN, 5000)
  await expect(after.deadMan.beat(ANN, id, 2000)).resolves.toEqual(expect.any(String))
})
