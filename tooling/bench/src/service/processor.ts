import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of processor time that a process has used: its main thread, where the event loop runs, and all of its threads. */
export interface Used {
  loop: number
  all: number
}

/** What a process of this machine has used so far. */
export function processorTime(pid: number): Used {
  const seconds = (thread: string) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9
  const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + secondsOr(0, () => seconds(thread)), 0)
  return { loop: seconds(String(pid)), all }
}

/** A thread may end while it is looked at. */
function secondsOr(fallback: number, read: () => number): number {
  try {
    return read()
  } catch {
    return fallback
  }
}

/**
 * Most memory that a process of this machine has held so far, in MiB. What the system says of used resources (`maxRSS`) begins at the memory
 * of the process that started it.
 */
export const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
