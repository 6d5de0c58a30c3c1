import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { migrateClob } from '@augury/domain/clob/database'
import { migratePlatform } from '@augury/domain/platform/database'
import { workerScheduler } from '@augury/platform/authorization/scheduler'
import { importCatalogue } from '@augury/platform/catalogue/import-catalogue'
import { runJob } from '@augury/platform/jobs/run-job'
import { openSite } from '@augury/platform/site/site'
import { ordersJob } from '@augury/platform/sync/orders'
import { platformApp } from '@augury/rest/platform'
import { startClobServerProcess } from '@augury/testing/clob-server-process'
import { durableDatabase, migratedDatabase } from '@augury/testing/database'
import { freePort } from '@augury/testing/free-port'
import { privateKeyToAccount } from 'viem/accounts'

const WALLET = `0x${'0e'.repeat(32)}` as const

/** A site and its exchange, both over HTTP, with one market in which a maker offers 100 Yes at 0.4. */
export async function startDeployment() {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each()
  }
  try {
    const operator = privateKeyToAccount(WALLET)
    const databaseUrl = await durableDatabase('clob', migrateClob)
    const clob = await startClobServerProcess({ databaseUrl, operator: operator.address })
    closing.push(() => clob.remove())
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const site = await openSite({
      mode: 'sandbox',
      databaseUrl: await migratedDatabase('platform', migratePlatform),
      origin: url,
      chainId: 80002,
      keyRing: [{ id: '1', key: Buffer.alloc(32, 1) }],
      adminWallets: [],
      dataDir: clob.dataDir,
      openrouterUrl: 'http://127.0.0.1:9',
      swapUrl: 'http://127.0.0.1:9',
      uploadsUrl: null,
      schedulerSecret: 'a secret of the scheduler in tests',
      rpcUrl: null,
      clobUrl: clob.url,
      publicClobUrl: clob.url,
      platformWalletKey: WALLET,
    })
    closing.push(() => site.close())
    const bugs: unknown[] = []
    const app = platformApp({ site, onBug: (error) => void bugs.push(error) })
    const server = createServer((request, response) => void answer(app.request.bind(app), url, request, response))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
    await openMarket(site, clob.url)
    closing.push(work(site))
    return { site: url, exchange: clob.url, bugs, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the worker of a deployment does: tells members what became of their orders. Returns what ends it. */
function work(site: Awaited<ReturnType<typeof openSite>>): () => Promise<unknown> {
  const ending = new AbortController()
  const working = (async () => {
    while (!ending.signal.aborted) {
      await runJob(site, workerScheduler('test'), ordersJob(site.exchange.treasury))
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  return () => {
    ending.abort()
    return working
  }
}

type Ask = (path: string, init: RequestInit, env: { clientAddress: string }) => Response | Promise<Response>

async function answer(ask: Ask, url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
  const given = await ask(url + request.url, { method: request.method!, headers, ...body }, { clientAddress: '127.0.0.1' })
  for (const line of given.headers.getSetCookie()) response.appendHeader('set-cookie', line)
  const contentType = given.headers.get('content-type') ?? 'text/plain'
  response.writeHead(given.status, { 'content-type': contentType }).end(await given.text())
}

async function openMarket(site: Awaited<ReturnType<typeof openSite>>, clobUrl: string): Promise<void> {
  const { address, exchange } = await site.exchange.operator()
  const listing = {
    slug: 'rain',
    title: 'Will it rain?',
    endDate: '2099-12-31T00:00:00Z',
    tags: [{ slug: 'weather', label: 'Weather' }],
    markets: [{ question: 'Will it rain?', slug: 'rain-market', outcomes: '["Yes", "No"]', outcomePrices: '["0.5", "0.5"]' }],
  }
  await importCatalogue(site, {
    text: JSON.stringify([listing]),
    creator: address,
    register: (body) => exchange.registerCondition({ body }),
  })
  const wallet = privateKeyToAccount(`0x${'0f'.repeat(32)}`)
  const maker = venueClient({ url: clobUrl, apiKey: await createApiKey({ url: clobUrl, wallet }) })
  await maker.faucet({ body: { address: wallet.address, amount: '100' } })
  const [row]: { no: string }[] = await site.em().execute('select token_id as no from outcome where index = 1')
  await maker.placeOrder({ body: { tokenId: row!.no, side: 'BUY', orderType: 'GTC', price: '0.6', size: '100' } })
}
