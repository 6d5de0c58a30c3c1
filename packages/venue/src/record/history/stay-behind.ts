import { getPriority, setPriority } from 'node:os'

/** Lower scheduling priority for history: where both it and answering want a processor, history gets a quarter of it. */
const BEHIND = 5

/** Lets answering come before this thread. Only on Linux, where priorities are of a thread alone. */
export function stayBehind(): void {
  if (process.platform === 'linux') setPriority(0, Math.min(19, getPriority(0) + BEHIND))
}
