import type { TokenHolders } from '@augury/wire/data'
import type { Input } from '@augury/wire/operation'
import type { dataOperations } from '@augury/wire/operations/data'
import { getAddress } from 'viem'
import type { Visitor } from '../access/identity.ts'
import { sharesNumber } from '../views/position-view.ts'
import type { Context } from './context.ts'
import { conditionsOf } from './list-positions.ts'

type Query = Input<typeof dataOperations.listHolders>['query']

/** Largest holders of both tokens of some markets. */
export async function listHolders(ctx: Context, _: Visitor, { query }: { query: Query }): Promise<TokenHolders[]> {
  const tokens = conditionsOf(ctx, query.market)!.flatMap((condition) =>
    ([0, 1] as const).map((outcome) => ctx.markets.tokenOf(condition, outcome)),
  )
  return Promise.all(
    tokens.map(async ({ id, condition, outcome }) => {
      const rows = await ctx.venue.readModel.holders(condition, outcome, query.limit, query.offset)
      const holders = rows.map(({ account, lots }) => ({
        proxyWallet: getAddress(account),
        asset: id,
        amount: sharesNumber(lots),
        outcomeIndex: outcome,
        name: '',
        pseudonym: '',
        bio: '',
        profileImage: '',
      }))
      return { token: id, holders: holders.filter(({ amount }) => amount >= query.minBalance) }
    }),
  )
}
