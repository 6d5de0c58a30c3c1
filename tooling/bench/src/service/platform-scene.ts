import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migratePlatform } from '@augury/domain/platform/database'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { fillCatalogue } from './full-catalogue.ts'
import type { Program } from './venue-scene.ts'

/** A deployment with a long catalogue, over a PostgreSQL of its own. */
export interface PlatformScene {
  server: Program
  events: number
  databaseUrl: string
  /** A server that sends these bytes and does nothing else. */
  startBare(bytes: Uint8Array): Promise<Program>
}

let opened: Promise<PlatformScene & { close(): Promise<void> }> | null = null

/** The scene that rows of the platform share: made by the first that asks. */
export function platformScene(quick: boolean): Promise<PlatformScene> {
  opened ??= open(quick ? 10_000 : 100_000)
  return opened
}

/** Ends what was started. */
export async function closePlatformScene(): Promise<void> {
  const scene = await opened
  opened = null
  await scene?.close()
}

async function open(events: number): Promise<PlatformScene & { close(): Promise<void> }> {
  const postgres = await startThrowawayServer({ durable: true })
  const folder = temporaryFolder('bench-platform')
  const children: Child[] = []
  const close = async () => {
    for (const child of children) await child.stop()
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  const start = async (script: string, args: (port: string) => string[]): Promise<Program> => {
    const port = await freePort()
    const child = startChild(process.execPath, [script, ...args(String(port))], { cwd: import.meta.dirname })
    children.push(child)
    await child.waitFor(/listening/)
    return Object.assign(child, { port })
  }
  try {
    await migratePlatform(postgres.url('postgres'))
    await fillCatalogue(postgres.url('postgres'), events)
    const server = await start('platform-server.ts', (port) => [postgres.url('postgres'), port, folder])
    return {
      server,
      events,
      close,
      databaseUrl: postgres.url('postgres'),
      async startBare(bytes) {
        const file = join(folder, 'bytes')
        writeFileSync(file, bytes)
        return start('bare-bytes.ts', (port) => [file, port])
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
