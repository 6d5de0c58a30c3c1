import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { privateKeyToAccount } from 'viem/accounts'
import { createApiKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)

/** The real service over a real database, with one market. */
export async function exchangeWithMarket(environment: Readonly<Record<string, string>> = {}) {
  const postgres = await startThrowawayServer({ durable: true })
  try {
    await migrateClob(postgres.url('postgres'))
    const server = await startClobServerProcess({ databaseUrl: postgres.url('postgres'), operator: operator.address, environment })
    const close = async () => {
      await server.remove()
      await postgres.remove()
    }
    const client = venueClient({ url: server.url, apiKey: await createApiKey({ url: server.url, wallet: operator, scope: 'venue' }) })
    await client.registerCondition({ body: conditionRequest('rain') })
    return { url: server.url, close }
  } catch (error) {
    await postgres.remove()
    throw error
  }
}
