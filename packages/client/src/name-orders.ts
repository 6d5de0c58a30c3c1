import type { Operation } from '@augury/wire/operation'

type Order = Readonly<Record<string, unknown>>

/** A plain order without a client order id gets a random one. A signed order has an id of its own. */
const named = (order: Order): Order =>
  'order' in order || order.clientOrderId !== undefined ? order : { ...order, clientOrderId: crypto.randomUUID() }

const BODIES: Readonly<Record<string, (body: never) => unknown>> = {
  'POST /order': named,
  'POST /orders': (body: Order | readonly Order[]) => (Array.isArray(body) ? body.map(named) : named(body as Order)),
  'POST /order/replace': ({ order, ...body }: { order: Order }) => ({ ...body, order: named(order) }),
}

/** Names each plain order of a request that has no client order id: two calls are two orders, and a retry of one call places one. */
export function nameOrders(op: Operation, body: unknown): unknown {
  const name = body === undefined || body === null ? undefined : BODIES[`${op.method} ${op.path}`]
  return name ? name(body as never) : body
}
