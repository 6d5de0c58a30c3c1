import { encodeCommand } from '@augury/engine/codec'
import type { Command } from '@augury/engine/command'
import { Exchange } from '@augury/engine/exchange'
import { DEAD_MAN } from '@augury/wire/limits'
import { Lanes } from '../src/serve/access/lanes.ts'
import { DeadMan } from '../src/serve/state/dead-man.ts'

export const ANN = `0x${'a1'.repeat(20)}` as const
export const BEN = `0x${'b2'.repeat(20)}` as const
export const SILENCE = DEAD_MAN.usualMs + DEAD_MAN.graceMs

export const deposit = (account: `0x${string}`, ref: string): Command => ({
  type: 'deposit',
  account,
  amount: 1,
  ref: `0x${ref.repeat(64)}`,
})
/** Two accounts that have something. */
function funded(): Exchange {
  const exchange = new Exchange()
  for (const [at, account] of [ANN, BEN].entries()) {
    exchange.applyRow({ at: at + 1, commands: encodeCommand(deposit(account, String(at))) })
  }
  return exchange
}

/** A process that writes, its clock, and what it told the engine. */
export function process(exchange = funded()) {
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
