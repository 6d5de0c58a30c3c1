let waiting: (() => void)[] = []

/**
 * Calls back in this turn of the event loop, when all that had come was read. Answers that are written one after the other wake their readers
 * once: written as each is made, they find every reader asleep again, and waking one costs more than a small answer.
 */
export function atEndOfTurn(call: () => void): void {
  if (waiting.push(call) > 1) return
  setImmediate(() => {
    const calls = waiting
    waiting = []
    for (const call of calls) call()
  })
}
