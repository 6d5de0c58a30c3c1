import { type AddressInfo, createServer } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startThrowawayServer, type ThrowawayServer } from './throwaway-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Local port that answers each connection with the URL of the run's PostgreSQL. */
    postgresDoor: number
  }
}

let server: Promise<ThrowawayServer> | undefined
const door = createServer((socket) => {
  socket.on('error', () => {}) // the worker ended while it waited
  server ??= startThrowawayServer()
  server.then(
    ({ url }) => socket.end(url('postgres')),
    (error: Error) => socket.end(error.message),
  )
})

/**
 * One PostgreSQL for a whole vitest run, started when the first test needs a database: `postgresDoor` answers a connection with the server's
 * URL. It belongs to vitest's main process, so it outlives every worker and ends with the run.
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
    () => {}, // it never started, which failed the tests already
  )
}
