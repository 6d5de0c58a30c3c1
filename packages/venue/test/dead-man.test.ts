import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { DEAD_MAN } from '@augury/wire/limits'
import { expect, test } from 'vitest'
import { ANN, deposit, process, SILENCE } from './dead-man-process.ts'

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
