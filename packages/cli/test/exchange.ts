import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
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
    for (const slug of ['rain', 'snow']) await client.registerCondition({ body: condition(slug) })
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

const condition = (slug: string) => ({
  question_slug: slug,
  outcomes: ['Yes', 'No'] as [string, string],
  tick_size: '0.01' as const,
  min_size: '5',
  fee_rate_bps: 0,
  end_time: '2099-01-01T00:00:00Z',
  metadata: {
    question: `Will there be ${slug}?`,
    short_title: slug,
    description: '',
    rules: '',
    resolution_source: '',
    resolution_source_url: '',
    icon: '',
    event: { slug, title: slug, icon: '', tags: [], rules: '', start_date: null, end_date: null },
  },
})
