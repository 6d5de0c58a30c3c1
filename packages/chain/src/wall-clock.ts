import type { Clock } from './ports.ts'

/** The clock of the machine. */
export const wallClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds)
      function done() {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      if (signal?.aborted) done()
      else signal?.addEventListener('abort', done)
    }),
}
