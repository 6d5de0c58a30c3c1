const listeners = new Set<() => void>()

/** Calls `listener` whenever something happened to the orders of whoever is signed in, until the answered function is called. */
export function hearOrders(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says that something happened to them. */
export function tellOrders(): void {
  for (const listener of listeners) listener()
}
