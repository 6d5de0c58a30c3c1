const listeners = new Set<() => void>()

/** Calls `told` whenever something happened to the orders of whoever is signed in, until the answered function is called. */
export function hearOrders(told: () => void): () => void {
  listeners.add(told)
  return () => listeners.delete(told)
}

/** Says that something happened to them. */
export function tellOrders(): void {
  for (const told of listeners) told()
}
