import { migrateClob } from '@augury/domain/clob/database'
import { openExchange } from '@augury/platform/exchange/exchange-access'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase } from '@augury/testing/database'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { openWriterRelay } from '../src/writer-relay.ts'

const WALLET_KEY = `0x${'11'.repeat(32)}` as const
const LIMIT = 180_000 // two programs begin

test(
  'what the deployment asks as its own wallet goes on by the same address when a standby takes over',
  async () => {
    const databaseUrl = await durableDatabase('clob', migrateClob)
    const operator = openExchange({ clobUrl: 'http://nowhere', platformWalletKey: WALLET_KEY }).operatorAddress
    const shared = { databaseUrl, operator, dataDir: temporaryFolder('takeover') }
    const first = await startClobServerProcess(shared)
    onTestFinished(() => void first.stop('SIGKILL'))
    const second = await startClobServerProcess({ ...shared, standby: true, environment: { PUBLIC_CLOB_URL: first.url } })
    onTestFinished(() => void second.stop('SIGKILL'))

    const relay = await openWriterRelay([first.url, second.url])
    onTestFinished(relay.close)
    const exchange = openExchange({ clobUrl: relay.url, publicClobUrl: first.url, platformWalletKey: WALLET_KEY })
    const ask = async () => (await (await exchange.operator()).exchange.listKeys()).apiKeys
    expect(await ask()).toHaveLength(1)
    await first.stop('SIGKILL')
    await expect.poll(() => ask().catch(String), { timeout: 60_000, interval: 250 }).toHaveLength(1)
    expect(await exchange.anybody.getStatus()).toMatchObject({ writer: 'primary' })
  },
  LIMIT,
)
