/** What is told of orders reaches the lists a moment later than the stream: they are read at once, and once more after so many milliseconds. */
const AGAIN_MS = 1_000
const SUBSCRIPTION = '/trpc/onOrders?input=%7B%7D'

const listeners = new Set<() => void>()
let source: EventSource | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function tell(): void {
  for (const listener of listeners) listener()
}

/**
 * Calls `told` whenever something happened to the orders of whoever is signed in, until the answered function is called. One stream serves a
 * page; the browser opens it again by itself, and hears first what it missed.
 */
export function hearOrders(told: () => void): () => void {
  listeners.add(told)
  if (!source) {
    source = new EventSource(SUBSCRIPTION)
    source.onmessage = () => {
      tell()
      clearTimeout(timer)
      timer = setTimeout(tell, AGAIN_MS)
    }
  }
  return () => {
    listeners.delete(told)
    if (listeners.size > 0) return
    source?.close()
    source = undefined
    clearTimeout(timer)
  }
}
