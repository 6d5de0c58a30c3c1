import type { WithdrawalView } from '@augury/wire/platform/withdrawals'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Hex, keccak256 } from 'viem'
import { vaultOf } from '../chain/place.ts'
import type { Site } from '../site/site.ts'
import { cancelledAmong } from './claims.ts'
import { type Payment, referenceOf, type WithdrawalRow, withdrawalView } from './withdrawal-row.ts'

interface Row {
  ref: string
  raw: Hex | null
  mined: boolean
  booked_number: number | null
}

/** The newest intent that names each of these references. */
const PAYMENTS = `
  select distinct on (ref) payment ->> 'name' as ref, versions -> -1 ->> 'raw' as raw, mined, booked_number
  from chain.intent, jsonb_array_elements(purpose -> 'payments') payment
  where purpose @> any (array(select jsonb_build_object('payments', jsonb_build_array(jsonb_build_object('name', name)))
      from jsonb_array_elements_text(?::jsonb) name))
    and payment ->> 'name' in (select jsonb_array_elements_text(?::jsonb))
  order by ref, nonce desc`

/** Payments of withdrawals by their ids, those that the settler has begun; none where money is kept by the ledger alone. */
async function paymentsOf(
  { settings }: Pick<Site, 'settings'>,
  em: EntityManager,
  rows: readonly Pick<WithdrawalRow, 'id' | 'status'>[],
): Promise<ReadonlyMap<string, Payment>> {
  const asked = rows.filter(({ status }) => status === 'sent' || status === 'settled' || status === 'returned')
  if (!vaultOf(settings) || asked.length === 0) return new Map()
  const refs = JSON.stringify(asked.map(referenceOf))
  const found: Row[] = await em.execute(PAYMENTS, [refs, refs])
  const byRef = new Map(found.map((row) => [row.ref, row]))
  return new Map(
    asked.flatMap((row): [string, Payment][] => {
      const payment = byRef.get(referenceOf(row))
      if (!payment) return []
      const { raw, mined, booked_number } = payment
      const facts = { transaction: raw && keccak256(raw), isMined: mined, block: booked_number }
      return [[row.id, { chainId: settings.chainId, ...facts }]]
    }),
  )
}

/** Withdrawals as shown to their members, with how far the vault's payments are. */
export async function withdrawalViews(
  site: Pick<Site, 'settings'>,
  em: EntityManager,
  rows: readonly WithdrawalRow[],
): Promise<WithdrawalView[]> {
  const payments = await paymentsOf(site, em, rows)
  const isOnChain = vaultOf(site.settings) !== null
  const pending = isOnChain ? rows.filter(({ status }) => status === 'sent').map(referenceOf) : []
  const cancelled = await cancelledAmong(em, pending)
  return rows.map((row) => {
    const view = withdrawalView(row, isOnChain, payments.get(row.id) ?? null)
    return row.status === 'sent' && cancelled.has(referenceOf(row)) ? { ...view, status: 'cancelling' } : view
  })
}
