import { join } from 'node:path'
import { webSettings } from '@augury/settings/env'
import { startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { expect } from '@playwright/test'
import { type Door, doorTo } from './door.ts'

/** A site of the same deployment whose way to the exchange leads through a door. Browsers reach the exchange as always. */
export interface SecondSite {
  origin: string
  door: Door
  close(): Promise<void>
}

/** Starts one beside the site that is running, and waits until it answers. */
export async function secondSite(): Promise<SecondSite> {
  const { clobUrl, publicClobUrl, dataDir, databaseUrl } = webSettings()
  const [door, port] = [await doorTo(clobUrl), await freePort()]
  const origin = `http://localhost:${port}`
  const site = startChild(process.execPath, ['server.mjs'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...{ WEB_PORT: String(port), ORIGIN: origin, CLOB_URL: `http://127.0.0.1:${door.port}`, PUBLIC_CLOB_URL: publicClobUrl },
      ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, TRUSTED_PROXIES: '127.0.0.1,::1' },
    },
  })
  const close = async () => {
    await site.stop('SIGKILL')
    await door.close()
  }
  try {
    await expect(async () => expect((await fetch(`${origin}/docs`)).ok, site.output()).toBe(true)).toPass({ timeout: 60_000 })
  } catch (error) {
    await close()
    throw error
  }
  return { origin, door, close }
}
