import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { durableDatabase } from '@augury/testing/database'
import { privateKeyToAccount } from 'viem/accounts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const another = privateKeyToAccount(`0x${'02'.repeat(32)}`)

/**
 * The real service over a real database, with the markets `rain` and `snow`, and `hail` by two operators, one of whom puts terminal escape
 * sequences into the question.
 */
export async function exchangeWithMarkets() {
  const server = await startClobServerProcess({
    ...{ databaseUrl: await durableDatabase('clob', migrateClob), operator: operator.address },
    environment: { PROOF_EVERY: '1', OPERATOR_ADDRESSES: another.address },
  })
  const { url } = server
  try {
    const client = venueClient({ url, apiKey: await createApiKey({ url, wallet: operator, scope: 'venue' }) })
    for (const slug of ['rain', 'snow', 'hail']) await client.registerCondition({ body: conditionRequest(slug) })
    const other = venueClient({ url, apiKey: await createApiKey({ url, wallet: another, scope: 'operator' }) })
    const hail = conditionRequest('hail')
    const question = `\u001b[2J\u009b31m${hail.metadata.question}`
    await other.registerCondition({ body: { ...hail, metadata: { ...hail.metadata, question } } })
    return { url, close: server.remove }
  } catch (error) {
    await server.remove()
    throw error
  }
}
