import { isFree } from '@augury/testing/free-port'

/** A port that one of our programs is about to listen on, and the variable that sets it. */
export interface WantedPort {
  variable: string
  port: number
}

/** Throws a sentence that names every port already in use, its variable, and what to do. */
export async function requireFree(wanted: WantedPort[]): Promise<void> {
  const free = await Promise.all(wanted.map(({ port }) => isFree(port)))
  const taken = wanted.filter((_, n) => !free[n])
  if (taken.length === 0) return
  const list = taken.map(({ variable, port }) => `Port ${port} (${variable}) is taken by another program.`)
  const moved = taken.map(({ variable, port }) => `${variable}=${port < 20_000 ? port + 10_000 : port - 10_000}`)
  throw new Error(`${list.join('\n')}\nStop that program, or choose other ports: ${moved.join(' ')} npm start`)
}
