import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMPILE_CACHE } from '@augury/testing/child-process'
import { conditionRequest } from '@augury/testing/condition-request'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../src/api-key.ts'
import { venueClient } from '../src/rest.ts'
import { exchangeWithMarket } from './exchange.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const folder = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** A project with the package installed from its tarball. */
const project = mkdtempSync(join(tmpdir(), 'augury-client-package-'))
const installed = join(project, 'node_modules/@augury/client')
let exchange: Awaited<ReturnType<typeof exchangeWithMarket>>

beforeAll(async () => {
  await run(bin('pnpm'), ['pack', '--pack-destination', project], { cwd: folder, env: { ...environment() } })
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'))!
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1'])
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    const source = name === '@types/node' ? join(root, 'node_modules', name) : join(folder, 'node_modules', name)
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(realpathSync(source), join(project, 'node_modules', name))
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  exchange = await exchangeWithMarket()
})
afterAll(async () => {
  await exchange?.close()
  rmSync(project, { recursive: true, force: true })
})

/** A minimal environment, without that of the tests. */
const environment = () => ({
  ...{ PATH: `${join(root, 'node_modules/.bin')}:/usr/local/bin:/usr/bin:/bin`, HOME: project, CI: '1' },
  ...COMPILE_CACHE,
})

test('npm accepts the package', async () => {
  const { messages, pkg } = await publint({ pkgDir: installed, pack: false, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([])
})

test('it depends only on published packages, and has no sources', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[jt]s$/.test(file))
  expect(files.filter((file) => !file.startsWith('dist/') || !/\.(js|d\.ts)$/.test(file))).toEqual([])
  const unpublished = files.filter((file) => /from ['"]@augury\//.test(readFileSync(join(installed, file), 'utf8')))
  expect(unpublished).toEqual([])
})

/** What the README shows, as one program, and the first bot of the guides. */
const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const program = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n')
const [, bot = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'apps/web/src/docs/first-bot.md'), 'utf8'))!

test.each(['nodenext', 'bundler'] as const)(
  'its types pass strict checks, including skipLibCheck: false, and so do the README and the first bot (%s)',
  async (resolution) => {
    const entries = readdirSync(join(installed, 'dist/client')).filter((file) => file.endsWith('.js'))
    const imports = entries.map((file, index) => `import * as m${index} from '@augury/client/${file.replace('.js', '')}'\nvoid m${index}\n`)
    const wrong = `
import { venueClient } from '@augury/client/rest'
const client = venueClient({ url: '' })
// @ts-expect-error a side is BUY or SELL
void client.placeOrder({ body: { tokenId: '1', side: 'HOLD', orderType: 'GTC', price: '0.5', size: '5' } })
// @ts-expect-error an order has no colour
void client.getOrder({ params: { id: '1' } }).then((order) => order.colour)
`
    const files = { 'types.ts': imports.join('') + wrong, 'readme.ts': program, 'first-bot.ts': bot }
    for (const [name, code] of Object.entries(files)) writeFileSync(join(project, name), code)
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
    const options = ['--strict', '--noEmit', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--module', module]
    const words = [...options, '--moduleResolution', resolution, '--types', 'node', ...Object.keys(files)]
    const { stdout } = await run(bin('tsc'), words, { cwd: project, env: environment() }).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  },
)

/** Quotes as a sandbox has them: the first market is all but decided, and in the second others stand before what the README asks for. */
async function quoteAsInSandbox() {
  const { url, operator } = exchange
  await operator.registerCondition({ body: conditionRequest('snow') })
  const wallet = privateKeyToAccount(generatePrivateKey())
  const maker = venueClient({ url, apiKey: await createApiKey({ url, wallet }) })
  await maker.faucet({ body: { address: wallet.address, amount: '1000' } })
  const [rain, snow] = (await maker.listSamplingMarkets()).data.map(({ tokens }) => tokens.map(({ token_id }) => token_id))
  const quotes = [
    [rain![1]!, '0.99'],
    ...['0.40', '0.41', '0.42', '0.43', '0.44', '0.45'].flatMap((price) => snow!.map((id) => [id, price])),
  ]
  const bid = { side: 'BUY', orderType: 'GTC', size: '10' } as const
  for (const [tokenId, price] of quotes) await maker.placeOrder({ body: { ...bid, tokenId: tokenId!, price: price! } })
  return maker
}

test('the code of the README runs, also beside quotes of others, and says what it promises', async () => {
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toBe(readme)
  writeFileSync(join(project, 'readme.ts'), program.replace('http://localhost:3001', exchange.url))
  const promised = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, line]) => line)
  const say = async () => (await run(process.execPath, ['readme.ts'], { cwd: project, env: environment() })).stdout.trim().split('\n')
  expect(await say()).toEqual(promised)
  const maker = await quoteAsInSandbox()
  expect(await say()).toEqual(promised)
  await maker.cancelAll()
})

test('the first bot of the guides has at most 50 lines, and trades as it stands', { timeout: 600_000 }, async () => {
  expect(bot.trimEnd().split('\n').length).toBeLessThanOrEqual(50)
  const { stdout } = await run(process.execPath, ['first-bot.ts'], { cwd: project, env: { ...environment(), AUGURY_URL: exchange.url } })
  const round = ['BUY 10 at 0.48: live', 'SELL 10 at 0.52: live']
  expect(stdout.trim().split('\n')).toEqual([
    'quoting “Will there be rain?”',
    ...round,
    ...round,
    ...round,
    'done, nothing left in the book',
  ])
  const visitor = venueClient({ url: exchange.url })
  const { data } = await visitor.listSamplingMarkets()
  const book = await visitor.getOrderbook({ query: { token_id: data[0]!.tokens[0]!.token_id } })
  expect([book.bids, book.asks]).toEqual([[], []])
})
