import { stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { RefusedError } from '@augury/client/answer'
import { readCatalogue } from './catalogue.ts'
import { keepLastPrices, readLastPrices } from './last-prices.ts'
import { MarketMaker } from './market-maker.ts'
import { wallets } from './wallets.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3001' },
    data: { type: 'string', default: '.data' },
    catalogue: { type: 'string' },
    /** Milliseconds between steps. */
    pace: { type: 'string', default: '1500' },
  },
})
/** How often new markets are looked for, and prices kept. */
const REFRESH_MS = 15_000

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())

const say = (text: string) => void stdout.write(`${text}\n`)
const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined)
const own = wallets(values.data)
const catalogue = values.catalogue === undefined ? new Map() : readCatalogue(values.catalogue)

say(`quoting on ${values.url} as ${own.maker.address}, trading with it as ${own.takers.length} others`)

let bot: MarketMaker | undefined
let refreshAt = 0
while (!stop.signal.aborted) {
  try {
    if (!bot) {
      bot = await MarketMaker.open(values.url, own, catalogue, readLastPrices(values.data))
      say(`quoting ${bot.size} markets`)
      refreshAt = Date.now() + REFRESH_MS
    } else if (bot.size === 0 || Date.now() > refreshAt) {
      await bot.refresh()
      keepLastPrices(values.data, bot.prices)
      refreshAt = Date.now() + REFRESH_MS
    }
    await bot.step()
    await pause(bot.size === 0 ? 3000 : Number(values.pace))
  } catch (error) {
    say(`trying again in 3 s: ${error instanceof Error ? error.message : String(error)}`)
    // The server began with an empty database: keys and money are asked for anew.
    if (error instanceof RefusedError && error.status === 401) bot = undefined
    await pause(3000)
  }
}
if (bot) keepLastPrices(values.data, bot.prices)
await bot?.close().catch(() => say('the service is gone: quotes stay until the next start'))
