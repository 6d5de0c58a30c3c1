import type { Command } from '@augury/engine/command'
import { prng } from '@augury/testing/prng'
import { deposit, id, place, register } from './commands.ts'

/** Who trades in tests. */
export const ACCOUNTS = ['ann', 'bob', 'cid', 'dee', 'eve', 'fay']

/** A condition with money in every account, then `count` commands of all kinds that a seed repeats; ids begin with `prefix`. */
export function* randomCommands(seed: number, count: number, prefix = ''): Generator<Command> {
  const { integer, pick, chance } = prng(seed)
  if (prefix === '') {
    yield register('rain')
    for (const name of ACCOUNTS) yield deposit(name, 10_000)
  }
  const placed: { name: string; account: string }[] = []
  for (let n = 0; n < count; n++) {
    const account = pick(ACCOUNTS)
    const name = `${prefix}${n}`
    const old = placed.length > 0 ? pick(placed) : null
    const kind = integer(1, 100)
    if (kind <= 75 || !old) {
      const orderType = pick(['GTC', 'GTC', 'GTC', 'GTD', 'FAK', 'FOK'] as const)
      const expiration = orderType === 'GTD' ? Math.floor(Date.now() / 1000) + integer(1, 200) : 0
      const side = pick(['BUY', 'BUY', 'SELL'] as const)
      const terms = { orderType, expiration, postOnly: orderType === 'GTC' && chance(0.2) }
      yield place(name, account, side, pick([0, 1] as const), integer(40, 60), integer(1, 50), terms)
      placed.push({ name, account })
    } else if (kind <= 88) yield { type: 'cancel', account: place(old.name, old.account, 'BUY', 0, 50, 1).account, orderId: id(old.name) }
    else if (kind <= 92)
      yield {
        type: 'reduce',
        account: place(old.name, old.account, 'BUY', 0, 50, 1).account,
        orderId: id(old.name),
        lots: integer(1, 2000),
      }
    else if (kind <= 97) {
      const { account: owner } = place(name, account, 'BUY', 0, 50, 1)
      yield {
        type: pick(['split', 'merge'] as const),
        account: owner,
        condition: id('rain'),
        lots: integer(1, 5000),
        request: id(`request ${name}`),
      }
    } else yield deposit(account, integer(1, 10), `more ${name}`)
  }
}
