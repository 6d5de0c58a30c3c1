/** Runs in the page before anything else of it, so it names nothing outside of itself: `globalThis.vitals` is what it saw. */
export const observe = () => {
  const seen = { lcp: 0, what: '', cls: 0, inp: 0 }
  Object.assign(globalThis, { vitals: seen })
  type Entry = PerformanceEntry & { element?: Element; value: number; hadRecentInput: boolean; interactionId: number }
  const on = (type: string, hear: (entry: Entry) => void, more: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) hear(entry as Entry)
    }).observe({ type, buffered: true, ...more })
  on('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime
    const { element } = entry
    seen.what = element ? `${element.localName}${element.className ? `.${String(element.className).split(' ')[0]}` : ''}` : ''
  })
  on('layout-shift', (entry) => {
    if (!entry.hadRecentInput) seen.cls += entry.value
  })
  on(
    'event',
    (entry) => {
      if (entry.interactionId > 0) seen.inp = Math.max(seen.inp, entry.duration)
    },
    { durationThreshold: 16 },
  )
}
