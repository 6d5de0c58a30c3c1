import { tellOrders } from './order-news.ts'

/** What is told of orders reaches the lists a moment later than the stream: they are read at once, and once more after so many milliseconds. */
const AGAIN_MS = 1_000
/** What answers in place of the site, as a proxy does while it starts anew, ends a stream for good: it is opened again after so many. */
const ANEW_MS = 5_000

/**
 * Hears what happens to the orders of whoever is signed in, until the answered function is called. One stream serves a page while it is looked
 * at: a browser without HTTP/2 has six lines to a site, and a seventh page would wait for ever for one that another holds out of sight.
 */
export function followOrders(): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (what: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(what, ms)
  }
  const open = () => {
    const opened = new EventSource('/trpc/onOrders?input=%7B%7D')
    source = opened
    opened.onmessage = () => {
      tellOrders()
      later(tellOrders, AGAIN_MS)
    }
    opened.onerror = () => {
      // A line that broke the browser opens again by itself, and hears first what it missed.
      if (opened.readyState === EventSource.CLOSED) later(anew, ANEW_MS)
    }
  }
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }
  /** What happened meanwhile is read as soon as nothing more is missed. */
  const anew = () => {
    open()
    source!.onopen = tellOrders
  }
  const look = () => (document.hidden ? close() : source || anew())
  if (!document.hidden) open()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
