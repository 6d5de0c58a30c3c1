/**
 * Lays out a part that `content-visibility` leaves out far from the viewport, once nothing else is to be done: a picture of the whole page has
 * all of it. The layout is waited for, so that of many parts only so many are done at once as an idle moment has time for.
 */
export function wholeWhenIdle(part: HTMLElement) {
  const asked = window.requestIdleCallback?.(() => {
    part.style.contentVisibility = 'visible'
    part.getBoundingClientRect()
  })
  return () => void (asked && cancelIdleCallback(asked))
}
