/** Runs what tells clients of committed rows. A fault in it ends sockets, by `end`, and not the exchange. */
export function contained(onBug: (error: unknown) => void, end: () => void, tell: () => void): void {
  try {
    tell()
  } catch (error) {
    onBug(error)
    end()
  }
}

/** Repeats such work of a stream until the timer is cleared. A fault ends the sockets of this stream. */
export const repeated = (
  everyMs: number,
  onBug: (error: unknown) => void,
  stream: { startOver(): void },
  work: () => void,
): NodeJS.Timeout => setInterval(() => contained(onBug, () => stream.startOver(), work), everyMs)
