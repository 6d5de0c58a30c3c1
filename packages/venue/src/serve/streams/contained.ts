import { CLOSE } from '@augury/wire/limits'
import type { Sink } from './sink.ts'

/** Runs what tells clients of committed rows. A fault in it ends sockets, by `end`, and not the exchange. */
export function contained(onBug: (error: unknown) => void, end: () => void, tell: () => void): void {
  try {
    tell()
  } catch (error) {
    onBug(error)
    end()
  }
}

/** Runs the sending of a message to one reader: a fault ends that reader's socket. */
export const apart = (onBug: (error: unknown) => void, socket: Pick<Sink, 'close'>, tell: () => void): void =>
  contained(onBug, () => socket.close(CLOSE.failed, 'failed'), tell)

/** Repeats such work of a stream until the timer is cleared. A fault ends the sockets of this stream. */
export const repeated = (
  everyMs: number,
  onBug: (error: unknown) => void,
  stream: { startOver(): void },
  work: () => void,
): NodeJS.Timeout => setInterval(() => contained(onBug, () => stream.startOver(), work), everyMs)
