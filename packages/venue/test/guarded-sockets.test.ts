import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { CLOSE, DEAD_MAN } from '@augury/wire/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Trader } from '../src/serve/access/identity.ts'
import { DeadMan } from '../src/serve/state/dead-man.ts'
import { type UserSource, UserStream } from '../src/serve/streams/user-stream.ts'
import { address, deposit, id, place, register } from './commands.ts'

// Sockets whose end cancels everything, and why they end.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An exchange with an order, and its owner, who follows it by a socket that guards the order. */
async function guarded() {
  const exchange = new Exchange()
  const apply = (command: Command) => exchange.applyRow({ at: exchange.at + 1, commands: encodeCommand(command) })
  for (const command of [register('rain'), deposit('ann', 1000), place('order', 'ann', 'BUY', 0, 40, 10)]) apply(command)
  const account = address('ann')
  const status = { writer: 'primary', verified: true }
  const keys = new Set(['key'])
  const deadMan = new DeadMan({
    exchange,
    submit: async (command) => apply(command),
    ahead: () => undefined,
    status: () => status,
    onError: (error) => {
      throw error
    },
  })
  const tick = setInterval(() => deadMan.tick(), 100)
  const stream = new UserStream({
    ...{ exchange, epoch: 1, venue: { stream: '' }, markets: {}, deadMan, keys: { find: (key: string) => (keys.has(key) ? {} : null) } },
    ...{ status: () => status, now: () => exchange.at, admitSwitch: () => {} },
  } as unknown as UserSource)
  const closed: number[] = []
  /** A socket that the stream may close. */
  const open = () => {
    let leave = () => {}
    const close = (code: number) => {
      closed.push(code)
      leave()
    }
    const sink = { sendJson() {}, write() {}, check() {}, close }
    const selection = { account, markets: [], cancelsOnDisconnect: true }
    leave = stream.follow(sink as never, { account, scope: 'trade', key: 'key' } as Trader, selection).leave
    return leave
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const orders = () => exchange.depth(id('rain'), 0, 10).bids.length
  const leave = open()
  await pass(1)
  const end = () => {
    stream.close()
    clearInterval(tick)
  }
  return { open, leave, pass, orders, status, keys, closed, end }
}

const SILENCE = DEAD_MAN.usualMs + DEAD_MAN.graceMs

test('who leaves, and whose key is revoked, has its orders cancelled at once', async () => {
  for (const how of ['leave', 'revoke']) {
    const { leave, pass, orders, keys, end } = await guarded()
    expect(orders()).toBe(1)
    if (how === 'leave') leave()
    else keys.clear()
    await pass(600)
    expect([how, orders()]).toEqual([how, 0])
    end()
  }
})

test('an account that is disconnected while the lease is in doubt keeps its orders if it is back within one full timeout', async () => {
  for (const comesBack of [true, false]) {
    const { open, pass, orders, status, closed, end } = await guarded()
    status.verified = false
    await pass(600)
    expect(closed).toEqual([CLOSE.draining])
    status.verified = true
    await pass(SILENCE - 1000)
    expect(orders()).toBe(1)
    if (comesBack) open()
    await pass(60_000)
    expect([comesBack, orders()]).toEqual([comesBack, comesBack ? 1 : 0])
    end()
  }
})
