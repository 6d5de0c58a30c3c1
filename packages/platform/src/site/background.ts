/** Work that goes on after its request was answered. */
export interface Background {
  /** Aborted when the deployment closes: the work stops at its next step. */
  readonly signal: AbortSignal
  /** Keeps the deployment open until the work has ended. It reports its own failures. */
  follow(work: Promise<unknown>): void
  close(): Promise<void>
}

export function openBackground(): Background {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    signal: closing.signal,
    follow(work) {
      const ended: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(ended))
      running.add(ended)
    },
    async close() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
