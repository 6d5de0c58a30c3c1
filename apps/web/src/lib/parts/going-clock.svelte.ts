import { createSubscriber } from 'svelte/reactivity'

const TICK_MS = 1_000

const ticking = createSubscriber((tick) => {
  const timer = setInterval(() => document.hidden || tick(), TICK_MS)
  return () => clearInterval(timer)
})

/** A page's clock stands still from one reading to the next. This one goes on from the last: whatever shows it is painted again each second. */
export function goingClock(lastRead: () => number): { readonly now: number } {
  const reading = $derived({ at: lastRead(), began: performance.now() })
  return {
    get now() {
      ticking()
      return reading.at + performance.now() - reading.began
    },
  }
}
