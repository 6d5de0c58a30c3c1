import { createHash } from 'node:crypto'
import type { Command, CommandOf, Hex, Outcome, Place, Side } from '@augury/engine/command'
import { encodeAnnex } from '../src/base/annex.ts'

/** 32 bytes that belong to a name. */
export const id = (name: string): Hex => `0x${createHash('sha256').update(name).digest('hex')}`
/** The address that belongs to a name. */
export const address = (name: string): Hex => `0x${id(name).slice(2, 42)}`

const OWNER = '00000000-0000-4000-8000-000000000001'

/** A plain condition with a grid of one cent. */
export const register = (condition: string, more: Partial<CommandOf<'register'>> = {}): Command => ({
  ...{ type: 'register', condition: id(condition), creator: address('creator'), grid: 100, minLots: 1, minNotional: 0 },
  ...{ feeBps: 700, rebateBps: 2000, affiliateBps: 0, event: null, ...more },
})

export const deposit = (name: string, usdc: number, ref = `deposit ${name}`): Command => ({
  ...{ type: 'deposit', account: address(name), amount: usdc * 1_000_000, ref: id(ref) },
})

/** A GTC order of `account`, price in cents and size in shares of the outcome; `more` changes anything. */
export function place(
  orderId: string,
  account: string,
  side: Side,
  outcome: Outcome,
  cents: number,
  shares: number,
  more: Partial<Place> = {},
): Place {
  return {
    ...{ type: 'place', orderId: id(orderId), account: address(account), condition: id('rain'), outcome, side, orderType: 'GTC' },
    ...{ price: cents * 100, lots: shares * 100, budget: 0, expiration: 0, postOnly: false, selfTrade: 'expire_maker', deployment: null },
    annex: encodeAnnex({ owner: OWNER, maker: null, clientOrderId: `name of ${orderId}`, content: new Uint8Array(8) }),
    ...more,
  }
}
