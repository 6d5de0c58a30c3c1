const listeners = new Set<() => void>()

/** Calls `listener` whenever an order of the member changed, until the returned function is called. */
export function onOrdersChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reports a change of the member's orders. */
export function ordersChanged(): void {
  for (const listener of listeners) listener()
}
