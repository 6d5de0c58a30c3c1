import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { COMPILE_CACHE } from '@augury/testing/child-process'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { runLine } from './run-line.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
/** Where nothing listens. */
const NOWHERE = { AUGURY_URL: 'http://127.0.0.1:1' }

/** Runs the program; `unread` streams are closed at once. */
async function augury(words: string[], environment: Record<string, string> = {}, unread: ('stdout' | 'stderr')[] = []) {
  const env = { ...NOWHERE, ...COMPILE_CACHE, ...environment }
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const told = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    if (unread.includes(stream)) child[stream].destroy()
    else child[stream].setEncoding('utf8').on('data', (text: string) => (told[stream] += text))
  }
  const [code] = await once(child, 'close')
  return { code, ...told }
}

const key = { AUGURY_ADDRESS: `0x${'11'.repeat(20)}`, AUGURY_API_KEY: 'k', AUGURY_API_SECRET: '!!', AUGURY_API_PASSPHRASE: 'p' }
const keyFile = join(temporaryFolder('misuse'), 'key.json')
const cipher = { name: 'aes-256-gcm', nonce: '', tag: '' }
const kdf = { name: 'scrypt', n: 3, r: 8, p: 1, salt: '' } // no power of two
writeFileSync(keyFile, JSON.stringify({ version: 1, url: NOWHERE.AUGURY_URL, address: key.AUGURY_ADDRESS, kdf, cipher, data: '' }))

test.each<[string, string[], Record<string, string>, number, string]>([
  ['an unknown flag without a command', ['--nope'], {}, 2, "Unknown option '--nope'"],
  ['a flag that is given twice', ['trades', '--limit', '5', '--limit', '50'], {}, 2, '--limit is given twice'],
  ['too many words', ['status', 'now'], {}, 2, 'usage: augury status [--vault ADDRESS [--rpc URL]] (usage)'],
  ['a wallet key of zero', ['portfolio'], { AUGURY_WALLET_KEY: `0x${'0'.repeat(64)}` }, 2, 'no private key'],
  ['a flag without its value and without a command', ['--url'], {}, 2, "Option '--url <value>' argument missing"],
  ['a fraction as the number of roots', ['verify', '--roots', '1.5'], {}, 2, '--roots is a number from 1'],
  ['more trades than there are in a page', ['trades', '--limit', '501'], {}, 2, '--limit is a number from 1 to 500'],
  ['an API secret that is not base64', ['portfolio'], key, 2, 'AUGURY_API_SECRET is no secret'],
  [
    'a key file with invalid parameters of scrypt',
    ['portfolio'],
    { AUGURY_KEY_FILE: keyFile, AUGURY_PASSPHRASE: 'x' },
    1,
    'is no key file',
  ],
])('%s is answered with one sentence and an exit code', async (_, words, environment, code, sentence) => {
  const answered = await augury(words, environment)
  expect(answered).toMatchObject({ code, stdout: '' })
  expect(answered.stderr).toMatch(/^error: [^\n]+\n$/)
  expect(answered.stderr).toContain(sentence)
})

test.each([
  ['call openSesame', 'there is no operation openSesame'],
  ['call createKey', 'there is no operation createKey'],
  ['call getTime now', 'this is no JSON object: now'],
  ['call getTime {"body":{}}', 'it takes no body'],
  ['call setAccount', 'params.address: '],
  ['call setAccount {"params":{"address":"0x00000000000000000000000000000000000000a1"},"body":{"tire":"maker"}}', 'body: '],
  ['login --scope all', '--scope is read, trade, operator, venue'],
  ['login --nonce -1', '--nonce'],
  ['orders 0x12 --market rain', 'give an id or --market'],
  ['book rain --updates 3', '--updates goes with --watch'],
  ['verify --skip-books', '--skip-books goes with --history'],
  ['verify --key 00', '--key is 64 hex digits'],
])('%s is misuse', async (line, why) => {
  const { code, error } = await runLine(line, NOWHERE)
  expect([code, error]).toEqual([2, expect.stringContaining(why)])
})

test('a refusal with a retry time shows that time', async () => {
  const body = JSON.stringify({ error: 'Too Many Requests', code: 'rate_limited' })
  const busy = createServer((_, answer) => answer.writeHead(429, { 'Retry-After': '7', 'Content-Type': 'application/json' }).end(body))
  onTestFinished(() => void busy.close())
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  const environment = { AUGURY_URL: `http://127.0.0.1:${(busy.address() as AddressInfo).port}` }
  expect((await runLine('status', environment)).error).toBe('error: Too Many Requests (rate_limited)\n  Try again in 7 s.')
  expect(JSON.parse((await runLine('status --json', environment)).error)).toMatchObject({ code: 'rate_limited', retry_after: 7 })
})

test('an incomplete API key in the environment is refused', async () => {
  expect((await runLine('orders', { ...NOWHERE, AUGURY_API_KEY: 'k' })).error).toContain(
    'not AUGURY_ADDRESS, AUGURY_API_SECRET, AUGURY_API_PASSPHRASE',
  )
})

test('--version prints the version, and as JSON with --json', async () => {
  expect(await augury(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^augury \d+\.\d+\.\d+\n$/) })
  expect(JSON.parse((await augury(['--json', '--version'])).stdout)).toEqual({ version: expect.any(String) })
})

test('the exit code is the same when the output is not read', async () => {
  expect((await augury(['markets'], {}, ['stderr'])).code).toBe(3)
  expect((await augury(['help'], {}, ['stdout'])).code).toBe(0)
})
