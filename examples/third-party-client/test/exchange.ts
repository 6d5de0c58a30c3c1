import { createApiKey } from '@augury/client/api-key'
import { type VenueClient, venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import type { ConditionRequest } from '@augury/wire/condition-request'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The real service over a real database, and the operator's client. */
export interface Exchange {
  url: string
  operator: VenueClient
  /** Stops the service and starts it again over the same database. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts clob-server as a program of its own. */
export async function startExchange({
  chainId = 80002,
  environment = {},
}: {
  chainId?: number
  environment?: Record<string, string>
} = {}): Promise<Exchange> {
  const databaseUrl = await durableDatabase('clob', migrateClob)
  const wallet = privateKeyToAccount(generatePrivateKey())
  const options = {
    databaseUrl,
    operator: wallet.address,
    port: await freePort(),
    environment: { CHAIN_ID: String(chainId), ...environment },
  }
  let server = await startClobServerProcess(options)
  const { url } = server
  try {
    const operator = venueClient({ url, apiKey: await createApiKey({ url, wallet, scope: 'venue', chainId }) })
    const restart = async () => {
      await server.stop()
      server = await startClobServerProcess({ ...options, dataDir: server.dataDir })
    }
    return { url, operator, restart, close: () => server.remove() }
  } catch (error) {
    await server.remove()
    throw error
  }
}

/** What it takes to register a market; `change` for what a test is about. */
export const condition = (slug: string, change: Partial<ConditionRequest> = {}): ConditionRequest => ({
  question_slug: slug,
  outcomes: ['Yes', 'No'],
  tick_size: '0.01',
  min_size: '5',
  fee_rate_bps: 0,
  end_time: '2099-01-01T00:00:00Z',
  metadata: {
    question: `${slug}?`,
    short_title: slug,
    description: '',
    rules: 'Resolves to Yes when it happens.',
    resolution_source: '',
    resolution_source_url: '',
    icon: '',
    event: {
      slug: `${slug}-event`,
      title: slug,
      icon: '',
      tags: [{ slug: 'tests', name: 'Tests' }],
      rules: '',
      start_date: null,
      end_date: null,
    },
  },
  ...change,
})
