import { paymentRef } from '@augury/chain/payments'
import type { Platform } from '@augury/platform/site/platform'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Hex } from 'viem'
import { cursorOf, setCursor } from './stores.ts'

/** Name under which the database keeps them, older than fees that are paid out. */
const NAME = 'demand_withdrawals'

/** A withdrawal that the settler asked for itself, to the account's own address: it answers a demand, or pays fees out. */
export interface OwnWithdrawal {
  name: string
  account: Hex
}

/** Withdrawals of the settler's own that have not ended, as far as it noticed. */
export const ownWithdrawals = async (platform: Platform): Promise<OwnWithdrawal[]> =>
  (await cursorOf<OwnWithdrawal[]>(platform.em(), NAME)) ?? []

/** Remembers one, and forgets those that have ended. */
export async function rememberOwn(em: EntityManager, logged: ReadonlyMap<Hex, { end: unknown }>, own: OwnWithdrawal): Promise<void> {
  const known = (await cursorOf<OwnWithdrawal[]>(em, NAME)) ?? []
  if (known.some(({ name }) => name === own.name)) return
  const waiting = known.filter(({ name }) => !logged.get(paymentRef(name))?.end)
  await setCursor(em, NAME, [...waiting, own])
}
