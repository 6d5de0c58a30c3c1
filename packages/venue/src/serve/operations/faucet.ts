import { createHash, randomUUID } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { formatUsdc, parseUsdc } from '@augury/units/decimal'
import { MICROS } from '@augury/units/usdc'
import { FAUCET_USDC } from '@augury/wire/limits'
import { ServiceError } from '@augury/wire/service-error'
import type { Visitor } from '../access/identity.ts'
import type { Context } from './context.ts'
import { accepted } from './refused.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Prefix of the refs of gifts, by which history tells them from other deposits. */
const GIFT = createHash('sha256').update('augury faucet').digest('hex').slice(0, 16)

/** The ref of an account's gift under a name. */
const giftRef = (account: Hex, name: string): Hex =>
  `0x${GIFT}${createHash('sha256').update(`${account} ${name}`).digest('hex').slice(0, 48)}`

interface Asked {
  body: { address: Hex; amount: string; ref?: string | undefined }
}

/** Gives play money to an address, at most FAUCET_USDC in any day, and once per `ref`. Sandbox only. */
export async function faucet(ctx: Context, _: Visitor, { body }: Asked): Promise<{ balance: string }> {
  const account = ctx.wallets.accountOf(body.address)
  const ref = giftRef(account, body.ref ?? randomUUID())
  if (Number(body.amount) > FAUCET_USDC) throw new ServiceError('invalid_amount', { text: `the amount must be at most ${FAUCET_USDC}` })
  const amount = parseUsdc(body.amount)
  if (amount <= 0) throw new ServiceError('invalid_amount', { text: 'the amount must be more than 0' })
  await ctx.gifts.run(account, async () => {
    const { readModel } = ctx.venue
    await readModel.waitFor(ctx.exchange.seq)
    const before = body.ref === undefined ? undefined : (await readModel.transfers([ref])).get(ref)
    if (before && before.amount !== amount) throw new ServiceError('duplicate_ref')
    if (before) return
    const given = await readModel.deposited(account, GIFT, ctx.venue.now() - DAY_MS)
    if (given + amount > FAUCET_USDC * MICROS) throw new ServiceError('faucet_limit', { retryAfter: 3600 })
    accepted(await ctx.venue.submit({ type: 'deposit', account, amount, ref }))
  })
  return { balance: formatUsdc(ctx.exchange.balance(account).free) }
}
