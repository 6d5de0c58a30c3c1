import { type AddressInfo, createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startThrowawayServer, type ThrowawayServer } from './throwaway-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Local port that answers a connection with the URL of the run's PostgreSQL. */
    postgresDoor: number
  }
}

let server: Promise<ThrowawayServer> | undefined
const door = createServer((socket) => {
  socket.on('error', () => {}) // a worker that went away while it waited
  server ??= startThrowawayServer()
  server.then(
    ({ url }) => socket.end(url('postgres')),
    (error: Error) => socket.end(error.message),
  )
})

/**
 * One PostgreSQL for a whole vitest run, started when the first test asks for a database: a connection to the door is answered with
 * the server's URL. It lives in vitest's main process, so it outlives every worker and goes with the run.
 */
export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  door.unref()
  project.provide('postgresDoor', (door.address() as AddressInfo).port)
}

/** Stops the server and removes its data. */
export async function teardown(): Promise<void> {
  door.close()
  await server?.then(
    ({ remove }) => remove(),
    () => {}, // never started: whoever asked has heard why
  )
}
