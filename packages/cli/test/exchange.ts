import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { startThrowawayServer } from '@augury/testing/throwaway-server'
import { privateKeyToAccount } from 'viem/accounts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)

/** The real service over a real database, with the markets `rain` and `snow`. */
export async function exchangeWithMarkets() {
  const postgres = await startThrowawayServer({ durable: true })
  try {
    await migrateClob(postgres.url('postgres'))
    const server = await startClobServerProcess({
      ...{ databaseUrl: postgres.url('postgres'), operator: operator.address },
      environment: { PROOF_EVERY: '1' },
    })
    const { url } = server
    const client = venueClient({ url, apiKey: await createApiKey({ url, wallet: operator, scope: 'venue' }) })
    for (const slug of ['rain', 'snow']) await client.registerCondition({ body: conditionRequest(slug) })
    const close = async () => {
      await server.remove()
      await postgres.remove()
    }
    return { url, close }
  } catch (error) {
    await postgres.remove()
    throw error
  }
}
