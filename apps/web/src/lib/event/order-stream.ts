import { tellOrders } from './order-news.ts'

/** What is told of orders reaches the lists a moment later than the stream: they are read at once, and once more after so many milliseconds. */
const AGAIN_MS = 1_000
/** What answers in place of the site, as a proxy does while it starts anew, ends a stream for good: it is opened again after so many. */
const ANEW_MS = 5_000

/** Hears what happens to the orders of whoever is signed in, until the answered function is called. One stream serves a page. */
export function followOrders(): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (what: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(what, ms)
  }
  const open = () => {
    source = new EventSource('/trpc/onOrders?input=%7B%7D')
    source.onmessage = () => {
      tellOrders()
      later(tellOrders, AGAIN_MS)
    }
    source.onerror = () => {
      // A line that broke the browser opens again by itself, and hears first what it missed.
      if (source.readyState === EventSource.CLOSED) later(anew, ANEW_MS)
    }
  }
  const anew = () => {
    open()
    tellOrders()
  }
  open()
  return () => {
    source.close()
    clearTimeout(timer)
  }
}
