import { hash } from 'node:crypto'
import type { Hex } from '@augury/engine/command'
import { isClientOrderId } from '@augury/wire/scalars'
import { chain, type MaybePromise } from '../../base/maybe-promise.ts'
import type { Context } from './context.ts'

const isOrderId = (text: string): boolean => /^0x[0-9a-f]{64}$/i.test(text)

/** Turns an order ID as sent, in any case, into an order ID. Any other text becomes an ID that no order has. */
export const orderIdOf = (text: string): Hex =>
  isOrderId(text) ? (text.toLowerCase() as Hex) : `0x${hash('sha256', `no order${text}`, 'hex')}`

/**
 * Finds the ID of an order that its account calls by its ID or its client order ID. An unknown name becomes an ID that no order has. Waits for
 * the account's earlier requests, as an order has its name only when it is ready. Throws `read_model_lagging`.
 */
export function findOrderId(ctx: Context, account: Hex, text: string): MaybePromise<Hex> {
  if (isOrderId(text) || !isClientOrderId.test(text)) return orderIdOf(text)
  const find = () => chain(ctx.orderNames.find(account, text), (found) => found ?? orderIdOf(text))
  const ahead = ctx.lanes.ahead(account)
  return ahead ? ahead.then(find) : find()
}

/** The same for several. */
export function findOrderIds(ctx: Context, account: Hex, texts: readonly string[]): MaybePromise<Hex[]> {
  const found = texts.map((text) => findOrderId(ctx, account, text))
  return found.every((id) => typeof id === 'string') ? found : Promise.all(found)
}

/** Drops repeated references to orders. IDs are equal in any case, names are not. The first spelling stays. */
export function distinctIds(ids: readonly string[]): string[] {
  const first = new Map<string, string>()
  for (const id of ids) {
    const key = isOrderId(id) ? id.toLowerCase() : id
    if (!first.has(key)) first.set(key, id)
  }
  return [...first.values()]
}
