import { createServer } from 'node:net'

// Below 13000 are the ports of `npm start`; from 32768 up are the system's ephemeral ports.
const LOWEST = 13_000
const HIGHEST = 32_000

/** A free TCP port of 127.0.0.1 between 13 000 and 32 000, drawn at random so that parallel runs rarely collide. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (await isFree(port)) return port
  }
}

/** Whether a TCP port of 127.0.0.1 can be listened on. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
