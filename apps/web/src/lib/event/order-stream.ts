import { ordersChanged } from './order-news.ts'

/** Lists lag slightly behind the stream: they are read at once, and again after this many milliseconds. */
const REREAD_MS = 1_000
/**
 * A response that is not a stream, as from a proxy while the site restarts, closes an EventSource for good. It is opened again after this many
 * milliseconds, doubled with each failure up to a minute, with jitter.
 */
const REOPEN_MS = 5_000
const REOPEN_MAX_MS = 60_000

/**
 * Follows changes of the member's orders until the returned function is called. The stream is only open while the page is visible: without
 * HTTP/2 a browser has six connections to a site, which hidden pages would use up.
 */
export function followOrders(): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const later = (what: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(what, ms)
  }
  let pause = REOPEN_MS
  /** With `anew`, the lists are read once the stream is open, for what was missed. */
  const open = (anew: boolean) => {
    const opened = new EventSource('/trpc/onOrders?input=%7B%7D')
    source = opened
    opened.onopen = () => {
      pause = REOPEN_MS
      if (anew) ordersChanged()
    }
    opened.onmessage = () => {
      ordersChanged()
      later(ordersChanged, REREAD_MS)
    }
    opened.onerror = () => {
      // The browser reconnects by itself after a lost connection, and resumes.
      if (opened.readyState !== EventSource.CLOSED) return
      later(() => open(true), pause * (0.5 + Math.random() / 2))
      pause = Math.min(pause * 2, REOPEN_MAX_MS)
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
