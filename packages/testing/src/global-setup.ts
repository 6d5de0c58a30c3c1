import { type AddressInfo, createServer, type Server } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startThrowawayServer, type ThrowawayServer } from './throwaway-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Local port that answers each connection with the URL of the run's PostgreSQL. */
    postgresDoor: number
    /** The same for the one whose commits survive a power cut. */
    durablePostgresDoor: number
  }
}

const doors: { door: Server; remove: () => Promise<void> }[] = []

/** A local port that answers each connection with the URL of a PostgreSQL, which is started when the first one asks. */
async function openDoor(durable: boolean): Promise<number> {
  let server: Promise<ThrowawayServer> | undefined
  const door = createServer((socket) => {
    socket.on('error', () => {}) // the worker ended while it waited
    server ??= startThrowawayServer({ durable })
    server.then(
      ({ url }) => socket.end(url('postgres')),
      (error: Error) => socket.end(error.message),
    )
  })
  const remove = async () => {
    await server?.then(
      (started) => started.remove(),
      () => {}, // it never started, which failed the tests already
    )
  }
  doors.push({ door, remove })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  door.unref()
  return (door.address() as AddressInfo).port
}

/**
 * Two PostgreSQL for a whole vitest run, each started when the first test needs a database of it. They belong to vitest's main process, so
 * they outlive every worker and end with the run.
 */
export async function setup(project: TestProject): Promise<void> {
  project.provide('postgresDoor', await openDoor(false))
  project.provide('durablePostgresDoor', await openDoor(true))
}

/** Stops the servers and removes their data. */
export async function teardown(): Promise<void> {
  for (const { door, remove } of doors) {
    door.close()
    await remove()
  }
}
