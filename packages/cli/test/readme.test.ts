import { chmodSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApiKey } from '@augury/client/api-key'
import { venueClient } from '@augury/client/rest'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { shellBlocks } from '@augury/testing/shell-blocks'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchangeWithMarkets } from './exchange.ts'

// Runs the commands of this package's README.md and of the guide verify.md in a shell, against a real exchange. Placeholders are replaced: MARKET by
// a market, KEY by a key; a watch ends after one update.
const root = join(import.meta.dirname, '../../..')
const home = temporaryFolder('cli-readme')
const bin = join(home, 'augury')
writeFileSync(bin, `#!/bin/sh\nexec node ${root}/packages/cli/src/main.ts "$@"\n`)
chmodSync(bin, 0o755)

let exchange: Awaited<ReturnType<typeof exchangeWithMarkets>>
const other = privateKeyToAccount(`0x${'0e'.repeat(32)}`)
beforeAll(async () => {
  exchange = await exchangeWithMarkets()
})
afterAll(() => exchange?.close())

/** Each line starts a program, which is slow on a busy machine. */
const LIMIT = { timeout: 600_000 }

async function shell(script: string): Promise<string> {
  const child = startChild('bash', ['-euc', script], {
    cwd: root,
    env: {
      PATH: `${home}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: home,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      AUGURY_URL: exchange.url,
      AUGURY_KEY_FILE: join(home, 'key.json'),
      AUGURY_PASSPHRASE: 'correct horse battery',
    },
  })
  expect([await child.ended, child.output()]).toEqual([0, expect.any(String)])
  return child.output()
}

const [reading = '', trading = ''] = shellBlocks('packages/cli/README.md').map((block) =>
  block.replaceAll('MARKET', 'rain').replaceAll('--watch', '--watch --updates 1').replaceAll('election', 'rain'),
)

test('what the README says of reading', LIMIT, async () => {
  expect(await shell(reading)).toMatch(/Will there be rain\?[\s\S]*BID SIZE/)
})

test('what the README says of trading: a new wallet buys from a maker and sells to a bidder', LIMIT, async () => {
  const maker = venueClient({ url: exchange.url, apiKey: await createApiKey({ url: exchange.url, wallet: other, scope: 'trade' }) })
  const { data } = await maker.listSamplingMarkets()
  const market = data.find(({ market_slug }) => market_slug === 'rain')!
  const tokenId = market.tokens[0]!.token_id
  await maker.faucet({ body: { address: other.address, amount: '1000' } })
  await maker.splitPosition({ body: { market: market.condition_id, amount: '60' } })
  const order = { tokenId, orderType: 'GTC' } as const
  await maker.placeOrder({ body: { ...order, side: 'SELL', price: '0.42', size: '60' } })
  await maker.placeOrder({ body: { ...order, side: 'BUY', price: '0.38', size: '50' } })
  const said = await shell(trading)
  expect(said).toMatch(/may trade from here/)
  expect(said).toMatch(/has 1000 USDC/)
  expect(said).toMatch(/^partially_filled, 60 shares at 0\.42, 40 open$/m)
  expect(said).toMatch(/^filled, 50 shares at 0\.38$/m)
  expect(said).toMatch(/Will there be rain\? +Yes +10 /)
  // The sale ended the rest of the purchase by self-trade prevention.
  expect(said).toMatch(/^nothing to cancel$/m)
})

test('what the guide to verifying says: roots, one’s own balance, all of history, and a key that was written down', LIMIT, async () => {
  await eventually(async () => {
    await shell('augury faucet 1') // time passes for the exchange when something happens
    expect((await venueClient({ url: exchange.url }).listStateRoots({})).data.length).toBeGreaterThan(1)
  })
  const roots = (await venueClient({ url: exchange.url }).listStateRoots({})).data
  const [guide = ''] = shellBlocks('apps/web/src/docs/verify.md')
  const said = await shell(guide.replace('KEY', roots.at(-1)!.key))
  expect(said.match(/^roots +\d+ in a chain, 1 to \d+, signed and unbroken$/gm)).toHaveLength(4)
  expect(said).toMatch(/^yours +\d/m)
  expect(said).toMatch(/^history +\d+ facts up to \d+ make exactly the state of root \d+$/m)
})

test('when the output is not read, a watch ends, and the exit code still says that orders were not cancelled', LIMIT, async () => {
  const account = `AUGURY_WALLET_KEY=0x${'0e'.repeat(32)}`
  await shell(`${account} augury cancel 0x00 0x01 | true; test "\${PIPESTATUS[0]}" = 1`)
  await shell(`augury book rain --watch | true; test "\${PIPESTATUS[0]}" = 0`)
})
