import { randomBytes } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { formatUsdc, parseUsdc } from '@augury/units/decimal'
import { MICROS } from '@augury/units/usdc'
import { FAUCET_USDC } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Context } from '../context.ts'
import type { Visitor } from '../identity.ts'
import { accepted } from '../refused.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Gives play money to an address, at most 100 000 a day. Sandbox only. */
export async function faucet(ctx: Context, _: Visitor, { body }: { body: { address: Hex; amount: string } }): Promise<{ balance: string }> {
  const account = ctx.wallets.accountOf(body.address)
  const amount = parseUsdc(body.amount)
  if (amount <= 0) throw new ServiceError('invalid_amount')
  const given = ctx.gifts.take(account, amount, ctx.venue.now())
  if (!given) throw new ServiceError('faucet_limit', { retryAfter: 3600 })
  const ref: Hex = `0x${randomBytes(32).toString('hex')}`
  try {
    accepted(await ctx.venue.submit({ type: 'deposit', account, amount, ref }))
  } catch (error) {
    if (error instanceof ServiceError) ctx.gifts.takeBack(account, amount)
    throw error
  }
  return { balance: formatUsdc(ctx.exchange.balance(account).free) }
}

/** What the faucet gave to each address in the last 24 hours. */
export class Gifts {
  readonly #given = new Map<Hex, { amount: number; at: number }[]>()

  /** Notes a gift in millionths; false when it would exceed the day's limit. */
  take(address: Hex, amount: number, now: number): boolean {
    const recent = (this.#given.get(address) ?? []).filter(({ at }) => now - at < DAY_MS)
    const sum = recent.reduce((total, gift) => total + gift.amount, 0)
    if (sum + amount > FAUCET_USDC * MICROS) return false
    this.#given.set(address, [...recent, { amount, at: now }])
    return true
  }

  /** Forgets a gift that did not happen. */
  takeBack(address: Hex, amount: number): void {
    const gifts = this.#given.get(address) ?? []
    const index = gifts.findLastIndex((gift) => gift.amount === amount)
    if (index !== -1) gifts.splice(index, 1)
  }
}
