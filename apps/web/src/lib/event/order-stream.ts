import { tellOrders } from './order-news.ts'

/** News of orders reaches the lists a moment later than the stream: they are read at once, and once more after so many milliseconds. */
const AGAIN_MS = 1_000
/**
 * What answers in place of the site, as a proxy does while it starts anew, ends a stream for good: it is opened again after so many, and
 * after twice as many each time that failed, up to a minute. Not all pages ask at one moment.
 */
const ANEW_MS = 5_000
const ANEW_AT_MOST_MS = 60_000

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
  let pause = ANEW_MS
  /** `anew`: what happened meanwhile is read as soon as nothing more is missed. */
  const open = (anew: boolean) => {
    const opened = new EventSource('/trpc/onOrders?input=%7B%7D')
    source = opened
    opened.onopen = () => {
      pause = ANEW_MS
      if (anew) tellOrders()
    }
    opened.onmessage = () => {
      tellOrders()
      later(tellOrders, AGAIN_MS)
    }
    opened.onerror = () => {
      // A line that broke the browser opens again by itself, and hears first what it missed.
      if (opened.readyState !== EventSource.CLOSED) return
      later(() => open(true), pause * (0.5 + Math.random() / 2))
      pause = Math.min(pause * 2, ANEW_AT_MOST_MS)
    }
  }
  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }
  const look = () => (document.hidden ? close() : source || open(true))
  if (!document.hidden) open(false)
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    close()
  }
}
