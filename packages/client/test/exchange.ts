import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { durableDatabase } from '@augury/testing/database'
import { privateKeyToAccount } from 'viem/accounts'
import { createApiKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)

/** The real service over a real database, with one market. */
export async function exchangeWithMarket(environment: Readonly<Record<string, string>> = {}) {
  const databaseUrl = await durableDatabase('clob', migrateClob)
  const server = await startClobServerProcess({ databaseUrl, operator: operator.address, environment })
  try {
    const client = venueClient({ url: server.url, apiKey: await createApiKey({ url: server.url, wallet: operator, scope: 'venue' }) })
    await client.registerCondition({ body: conditionRequest('rain') })
    return { url: server.url, operator: client, close: server.remove }
  } catch (error) {
    await server.remove()
    throw error
  }
}
