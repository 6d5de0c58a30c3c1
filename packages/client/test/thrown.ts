import { onTestFinished, vi } from 'vitest'

/** Collects uncaught errors until the test is over. */
export function thrownToNobody(): unknown[] {
  const thrown: unknown[] = []
  const { queueMicrotask } = globalThis
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) =>
    queueMicrotask(() => {
      try {
        work()
      } catch (error) {
        thrown.push(error)
      }
    }),
  )
  onTestFinished(() => spy.mockRestore())
  return thrown
}
