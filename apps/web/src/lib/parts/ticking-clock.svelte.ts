import { createSubscriber } from 'svelte/reactivity'

const TICK_MS = 1_000

const ticking = createSubscriber((tick) => {
  const timer = setInterval(() => document.hidden || tick(), TICK_MS)
  return () => clearInterval(timer)
})

/** Unix milliseconds that advance from the page's last server time (`lastRead`): reactive, updated each second while the page is visible. */
export function tickingClock(lastRead: () => number): { readonly now: number } {
  const reading = $derived({ at: lastRead(), began: performance.now() })
  return {
    get now() {
      ticking()
      return reading.at + performance.now() - reading.began
    },
  }
}
