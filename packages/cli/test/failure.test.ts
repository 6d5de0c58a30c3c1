import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { explain, Failure } from '../src/failure.ts'
import { runLine } from './run-line.ts'

/** Where something answers everything with a status and a body. */
async function answering(status: number, type: string, body: string): Promise<Record<string, string>> {
  const server = createServer((_, answer) => answer.writeHead(status, { 'Content-Type': type }).end(body))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { AUGURY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const PAGE = '<!doctype html>\n<html><head><title>Augury</title></head></html>'

test.each([
  ['a page that is not there', 404, 'text/html', PAGE, 1, 'error: Not Found (http_404)'],
  [
    'a page',
    200,
    'text/html; charset=utf-8',
    PAGE,
    3,
    'error: unexpected answer of GET /status: Invalid input: expected object, received string (bad_answer)',
  ],
  ['other JSON', 200, 'application/json', '{"mode":1}', 3, 'error: unexpected answer of GET /status: mode: Invalid option'],
])('where %s answers, the message says that this may be no exchange, in two lines', async (_, status, type, body, code, sentence) => {
  const said = await runLine('status', await answering(status, type, body))
  expect(said).toMatchObject({ code, out: '' })
  const [first, ...further] = said.error.split('\n')
  expect(first).toContain(sentence)
  expect(further).toEqual(['  Is this the address of an exchange? --url or AUGURY_URL says where it is.'])
})

test('what is missing in an account is shown in USDC to a person, and in millionths to a program', async () => {
  const error = 'not enough balance / allowance: the balance is not enough -> balance: 982081487, sum of active orders: 6200000'
  const details = { available: '975881487', reserved: '6200000', required: '89473446000' }
  const body = JSON.stringify({ error, code: 'insufficient_balance', details })
  const environment = await answering(400, 'application/json', body)
  expect((await runLine('status', environment)).error).toBe(
    [
      'error: not enough balance / allowance: the balance is not enough (insufficient_balance)',
      '  available 975.881487, in orders 6.2, needed 89473.446',
      '  See `augury portfolio`; in a sandbox `augury faucet` gives play money.',
    ].join('\n'),
  )
  expect(JSON.parse((await runLine('status --json', environment)).error)).toEqual({ error, code: 'insufficient_balance', details })
})

test('problems found by a schema are shown one a line, with their path', () => {
  const problems = [
    { path: 'price', problem: 'expected a decimal as text' },
    { path: '', problem: 'an amount is for FOK and FAK' },
  ]
  expect(explain(new Failure('invalid_payload', 'Invalid payload', 1, problems))).toBe(
    'error: Invalid payload (invalid_payload)\n  price: expected a decimal as text\n  an amount is for FOK and FAK',
  )
})
