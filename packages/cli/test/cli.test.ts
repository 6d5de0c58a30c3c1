import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiKey } from '@augury/client/api-key'
import { stateRootText } from '@augury/signing/state-root'
import { startChild } from '@augury/testing/child-process'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Terminal } from '../src/terminal.ts'
import { between } from './between.ts'
import { exchangeWithMarkets } from './exchange.ts'
import { runLine } from './run-line.ts'

const folder = temporaryFolder('cli')
const keyFile = join(folder, 'keys/key.json')
const alice = `0x${'a1'.repeat(32)}` as const
const bob = `0x${'b0'.repeat(32)}` as const
const carol = `0x${'c0'.repeat(32)}` as const

let exchange: Awaited<ReturnType<typeof exchangeWithMarkets>>
beforeAll(async () => {
  exchange = await exchangeWithMarkets()
})
afterAll(() => exchange?.close())

/** Runs a command line in this process, against the exchange. */
const augury = (line: string, environment: Record<string, string> = {}, askSecret?: Terminal['askSecret']) =>
  runLine(line, { AUGURY_URL: exchange.url, AUGURY_KEY_FILE: keyFile, ...environment }, askSecret)

const as = (walletKey: string) => ({ AUGURY_WALLET_KEY: walletKey })

test('reading needs no account', async () => {
  const listed = await augury('markets --search rain')
  expect(listed.out).toMatch(/QUESTION .* SLUG\nWill there be rain\? +- +0\.01 +2099-01-01 +rain$/)
  expect((await augury('markets --json')).json().map((market: { market_slug: string }) => market.market_slug)).toEqual([
    'rain',
    'snow',
    'hail',
    'hail',
  ])
  expect((await augury('book rain')).out).toBe('Will there be rain? Yes\nBID SIZE  PRICE  ASK SIZE\n          empty\n')
  expect((await augury('trades')).out).toBe('no trades yet')
  expect((await augury('status --json')).json()).toMatchObject({ mode: 'normal', sandbox: true, clock_skew_seconds: expect.any(Number) })
})

test('a login at another address of the exchange fails, and the message names the right address', async () => {
  const { error } = await augury('portfolio', { ...as(alice), AUGURY_URL: exchange.url.replace('127.0.0.1', '0.0.0.0') })
  expect(error).toContain(`the exchange goes by ${new URL(exchange.url).host}, so --url has to name that`)
})

test('an order rests, is filled by another member, and shows in both portfolios', async () => {
  for (const key of [alice, bob]) expect(await augury('faucet 1000', as(key))).toMatchObject({ code: 0 })
  const placed = await augury('order buy rain yes --price 0.42 --size 100 --json', as(alice))
  expect(placed.json()).toMatchObject({ state: 'live', remaining_size: '100' })
  expect((await augury('orders', as(alice))).out).toContain(`live   BUY   Yes       0.42   100       0  ${placed.json().orderId}  rain`)
  expect((await augury('book rain')).out).toContain('100   0.42')
  expect((await augury('book rain no')).out).toContain('0.58  100')

  expect((await augury('order buy rain no --amount 11.60', as(bob))).out).toMatch(/^filled, 20 shares at 0\.58\n0x/)
  const seen = (await augury('portfolio --json', as(alice))).json()
  expect(seen.usdc).toEqual({ balance: '991.6', reserved: '33.6', available: '958' })
  expect(seen.positions).toMatchObject([{ slug: 'rain', outcome: 'Yes', balance: '20', reserved: '0', available: '20' }])
  expect((await augury('positions', as(bob))).out).toMatch(/Will there be rain\? +No +20 +0/)
  expect((await augury('trades rain')).out).toMatch(/BUY +20 +No +0\.58 +Will there be rain\?/)

  expect((await augury('cancel --market rain', as(alice))).out).toBe(`cancelled ${placed.json().orderId}`)
  expect((await augury('cancel --all', as(alice))).out).toBe('nothing to cancel')
})

test('flags common to all commands may come first, and help is available as JSON', async () => {
  expect((await augury('--json markets')).json()).toHaveLength(4)
  expect((await augury(`--url ${exchange.url} --json status`, { AUGURY_URL: 'http://127.0.0.1:9' })).json()).toMatchObject({
    mode: 'normal',
  })
  for (const line of ['help', '--help', '-h']) expect((await augury(line)).out).toMatch(/^augury: /)
  for (const line of ['help book', '--url http://127.0.0.1:9 help book', 'book --help', '--help book', 'book rain -h'])
    expect((await augury(line)).out).toMatch(/^augury book MARKET/)
  const { commands } = (await augury('help --json')).json()
  expect(commands.find(({ name }: { name: string }) => name === 'book')).toEqual((await augury('--json help book')).json())
  expect(await augury('help dance --json')).toMatchObject({ code: 2, out: '' })
})

test('an order sent again with the same client id is placed once', async () => {
  const place = () => augury('order buy snow yes --price 0.10 --size 10 --expires 2030-01-31T12:00:00Z --client-id mine --json', as(alice))
  const [first, second] = [(await place()).json(), (await place()).json()]
  expect(second.orderId).toBe(first.orderId)
  expect((await augury(`orders ${first.orderId} --json`, as(alice))).json()).toMatchObject({ order_type: 'GTD', client_order_id: 'mine' })
})

test('an order over the trading socket is the order that it is over HTTP', async () => {
  const place = (more: string) => augury(`order buy snow yes --price 0.10 --size 10 --client-id fast ${more}--json`, as(alice))
  const sent = await place('--socket ')
  expect(sent).toMatchObject({ code: 0, error: '' })
  const first = sent.json()
  expect([first.replayed, (await place('')).json()]).toMatchObject([undefined, { replayed: true, orderId: first.orderId }])
  const refused = await augury('order buy snow yes --price 0.10 --size 1 --socket --json', as(alice))
  expect([refused.code, JSON.parse(refused.error)]).toMatchObject([1, { code: 'size_too_small' }])
})

test('control characters from the exchange never reach the terminal', async () => {
  const listed = await augury('markets --all --search hail')
  expect(listed.out).toContain('Will there be hail')
  const found = (await augury('markets --all --search hail --json')).json()
  const id = found.find(({ question }: { question: string }) => question.includes('\u001b')).condition_id
  for (const line of ['markets --search hail', 'book 0x{id}', 'book 0x{id} --watch --updates 1']) {
    const { out } = await augury(line.replace('0x{id}', id))
    expect([out.includes('\u001b'), out.includes('\u009b'), out.includes('�[2J')]).toEqual([false, false, true])
  }
  const asJson = await augury('markets --search hail --json')
  expect(asJson.out).not.toMatch(/\p{Cc}/u)
  expect(asJson.json().some(({ question }: { question: string }) => /[\u0080-\u009f]/.test(question))).toBe(true)
})

/** An API key as the environment has it. */
async function keyOf(walletKey: `0x${string}`) {
  const { address, key, secret, passphrase } = await createApiKey({ url: exchange.url, wallet: privateKeyToAccount(walletKey) })
  return { AUGURY_ADDRESS: address, AUGURY_API_KEY: key, AUGURY_API_SECRET: secret, AUGURY_API_PASSPHRASE: passphrase }
}

test('after an order without an answer, the message has the flags to send the same order again', async () => {
  const account = await keyOf(alice)
  const mute = await between(exchange.url, ({ method, socket }, text) => (method === 'POST' ? void socket.destroy() : text()))
  const order = 'order buy snow yes --price 0.11 --size 10'
  const said = await augury(`${order} --expires 6h`, { ...account, AUGURY_URL: mute.url })
  mute.close()
  expect(said).toMatchObject({ code: 3, out: '' })
  const [flags = ''] = /--client-id \S+ --expires \S+/.exec(said.error) ?? []
  const [first, again] = [await augury(`${order} ${flags} --json`, account), await augury(`${order} ${flags} --json`, account)]
  expect(again.json().orderId).toBe(first.json().orderId)
})

test.each([
  ['order buy rain yes --price 0.421 --size 10', alice, 1, 'invalid_price_tick'],
  ['order sell snow no --price 0.5 --size 10', alice, 1, 'insufficient_shares'],
  ['order buy rain yes --price 0.5', alice, 2, 'usage'],
  ['order buy rain --price 0.5 --size 10', alice, 2, 'usage'],
  ['order buy rain maybe --price 0.5 --size 10', alice, 2, 'unknown_outcome'],
  ['order hold rain yes --price 0.5 --size 10', alice, 2, 'usage'],
  ['order buy rain yes --price 0.5 --size 10 --expires soon', alice, 2, 'usage'],
  ['order buy rain yes --price 0.5 --sise 10', alice, 2, 'usage'],
  ['book', alice, 2, 'usage'],
  ['book sleet', alice, 1, 'unknown_market'],
  ['cancel 0x00', alice, 1, 'order_not_found'],
  ['cancel', alice, 2, 'usage'],
  ['dance', alice, 2, 'usage'],
  ['orders', '', 2, 'no_key'],
  ['orders', '0x12', 2, 'settings'],
  ['status --url http://127.0.0.1:9', '', 3, 'no_answer'],
])('%s fails with an exit code, and a code in its message', async (line, wallet, exitCode, code) => {
  const said = await augury(line, as(wallet))
  expect([said.code, said.out]).toEqual([exitCode, ''])
  expect(said.error).toMatch(new RegExp(`^error: .* \\(${code}\\)`, 's'))
  const json = await augury(`${line} --json`, as(wallet))
  expect(JSON.parse(json.error)).toMatchObject({ code, error: expect.stringMatching(/./) })
})

test('the key file is encrypted, opens only with its passphrase and for its exchange, and logging out revokes the key', async () => {
  const secret = { AUGURY_PASSPHRASE: 'correct horse battery' }
  const login = await augury('login --json --name test', { ...as(carol), ...secret })
  expect(login.json()).toMatchObject({ address: privateKeyToAddress(carol), key_file: keyFile })
  const text = readFileSync(keyFile, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ url: exchange.url, kdf: { name: 'scrypt', n: 131_072 }, cipher: { name: 'aes-256-gcm' } })
  expect(text).not.toContain(login.json().api_key)
  expect([statSync(keyFile).mode & 0o777, statSync(join(keyFile, '..')).mode & 0o777]).toEqual([0o600, 0o700])

  expect((await augury('orders', secret)).out).toBe('no open orders')
  const asked: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return secret.AUGURY_PASSPHRASE
  }
  expect((await augury('portfolio', {}, ask)).out).toContain('no shares')
  expect(asked).toEqual(['Passphrase of the key file: '])
  expect((await augury('orders', { AUGURY_PASSPHRASE: 'wrong horse' })).error).toContain('(wrong_passphrase)')
  expect((await augury('orders')).error).toContain('(no_passphrase)')
  expect((await augury('login', { ...as(carol), ...secret })).error).toContain('(key_file_exists)')
  expect((await augury('orders --url http://127.0.0.1:9', secret)).error).toContain('(other_exchange)')

  writeFileSync(keyFile, text.replace(exchange.url, 'http://127.0.0.1:9'))
  expect((await augury('orders --url http://127.0.0.1:9', secret)).error).toContain('(wrong_passphrase)')
  writeFileSync(keyFile, text)
  expect((await augury('logout', secret)).out).toMatch(/^the key is revoked/)
  expect((await augury('orders', secret)).error).toContain('(no_key)')
})

test('an operator logs in with an operator key, and calls operations without a command by their names', async () => {
  const secret = { AUGURY_PASSPHRASE: 'correct horse battery', AUGURY_KEY_FILE: join(folder, 'operator.json') }
  const operator = as(`0x${'01'.repeat(32)}`)
  expect((await augury('login --scope venue --nonce 7', { ...operator, ...secret })).out).toContain('may do what scope venue may from here')
  expect((await augury('call cancelOnlyVenue --json', secret)).json()).toMatchObject({ mode: 'cancel_only' })
  expect((await augury('call resumeVenue', secret)).out).toContain('"mode": "normal"')
  const tier = `call setAccount {"params":{"address":"${privateKeyToAddress(bob)}"},"body":{"tier":"maker"}}`
  expect((await augury(`${tier} --json`, secret)).json()).toMatchObject({ tier: 'maker' })
  expect((await augury(tier, as(bob))).error).toContain('(insufficient_scope)')
  expect((await augury('call getTime')).out).toMatch(/^\d+$/)
})

test('a new wallet is kept in the key file, and is deleted only with --force', async () => {
  const secret = { AUGURY_PASSPHRASE: 'correct horse battery' }
  expect(await augury('login --new', secret)).toMatchObject({ code: 0 })
  expect((await augury('faucet 5')).out).toMatch(/has 5 USDC$/)
  expect((await augury('logout', secret)).error).toContain('(wallet_in_file)')
  expect(await augury('logout --force', secret)).toMatchObject({ code: 0 })
})

test('a key file that cannot be written is a failure that says why', async () => {
  const said = await augury('login --new --force', { AUGURY_PASSPHRASE: 'correct horse battery', AUGURY_KEY_FILE: '/dev/null/key.json' })
  expect([said.code, said.error]).toEqual([1, expect.stringMatching(/\/dev\/null\/key\.json cannot be written: .* \(bad_key_file\)/)])
})

test('--updates ends a watch after that many updates', async () => {
  const watched = await augury('book snow no --watch --updates 1 --json')
  expect(watched).toMatchObject({ code: 0, error: '' })
  expect(watched.json()).toMatchObject({ outcome: 1 })
})

test('the program prints every change of a watched book until it is interrupted', async () => {
  const main = join(import.meta.dirname, '../src/main.ts')
  const watching = startChild(process.execPath, [main, 'book', 'rain', '--watch', '--json', '--depth', '1'], {
    env: { AUGURY_URL: exchange.url },
  })
  await watching.waitFor(/"bids":\[\],/)
  await augury('order buy rain yes --price 0.33 --size 10', as(alice))
  await watching.waitFor(/"bids":\[{"price":"0.33","size":"10"}\]/)
  await augury('cancel --all', as(alice))
  await watching.waitFor(/0\.33[\s\S]*"bids":\[\]/)
  expect(await watching.stop('SIGINT')).toBe(0)
  const lines = watching.output().trim().split('\n')
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual(
    lines.map(() => ['market', 'outcome', 'seq', 'bids', 'asks', 'last_trade']),
  )
})

test('verify checks the signed roots, one’s own balance in them, and all of history', async () => {
  await augury('faucet 20', as(alice))
  await augury('order buy rain yes --price 0.21 --size 7', as(alice))
  const signed = async () => {
    await augury('faucet 1', as(bob)) // time passes for the exchange when something happens
    return Number(/^roots +(\d+)/.exec((await augury('verify')).out)?.[1] ?? 0)
  }
  await expect.poll(signed).toBeGreaterThan(1)

  const checked = await augury('verify --json --account --history', as(alice))
  expect(checked).toMatchObject({ code: 0, error: '' })
  const { roots, newest, account, history } = checked.json()
  expect(newest.n).toBe(roots)
  expect(account).toMatchObject({ address: privateKeyToAddress(alice), root: expect.any(Number) })
  expect(account.assets[0]).toMatchObject({ market: null, amount: expect.stringMatching(/^\d+$/) })
  expect(history).toMatchObject({ seq: newest.seq, books: 1 })
  expect((await augury('verify --roots 1')).out).toMatch(/^roots +1 in a chain/)
  expect(await augury(`verify --key ${'11'.repeat(32)}`)).toMatchObject({ code: 1, error: expect.stringContaining('(bad_chain)') })
  expect(await augury('verify --roots none')).toMatchObject({ code: 2 })
})

test.each([
  ['in a root that is not published', ({ n }: { n: number }) => n + 1000],
  ['in a root that differs from the published one of the same number', () => 1],
])('a proof of a balance %s is refused', async (_, numberOf) => {
  const pair = generateKeyPairSync('ed25519')
  const key = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  const liar = await between(exchange.url, async ({ url }, text) => {
    if (!url?.startsWith('/proof/balance')) return text()
    const proof = JSON.parse(await text())
    const root = { ...proof.root, n: numberOf(proof.root), key }
    const signed = Buffer.from(stateRootText(root))
    const hash = createHash('sha256').update(signed).digest('hex')
    return JSON.stringify({ ...proof, root: { ...root, hash, signature: sign(null, signed, pair.privateKey).toString('hex') } })
  })
  const said = await augury('verify --account', { ...(await keyOf(alice)), AUGURY_URL: liar.url })
  liar.close()
  expect(said).toMatchObject({ code: 1, error: expect.stringMatching(/\(bad_(chain|proof)\)/) })
})
