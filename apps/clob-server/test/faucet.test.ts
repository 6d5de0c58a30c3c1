import { httpApp } from '@augury/rest/http'
import { venueRoutes } from '@augury/rest/venue'
import { expect, test } from 'vitest'
import { type Reply, send } from './caller.ts'
import { runningServer } from './running-server.ts'

const running = await runningServer()

/** Asks for money for the address of a digit, again while history is too far behind to say what was given. */
async function ask(digit: string, amount: string, ref?: string): Promise<Reply> {
  for (;;) {
    const reply = await send(running.url, 'POST', '/sandbox/faucet', JSON.stringify({ address: `0x${digit.repeat(40)}`, amount, ref }))
    if (reply.body.code !== 'read_model_lagging') return reply
  }
}

test('the faucet gives at most 100000 a day to one address', async () => {
  const give = (amount: string) => ask('5', amount)
  expect((await give('99999.5')).body).toEqual({ balance: '99999.5' })
  expect((await give('0.6')).body).toMatchObject({ code: 'faucet_limit' })
  for (const [amount, error] of [
    ['0', 'the amount must be more than 0'],
    ['100000.01', 'the amount must be at most 100000'],
    ['9999999999999999', 'the amount must be at most 100000'],
  ] as const) {
    const reply = await give(amount)
    expect([reply.status, reply.body]).toEqual([400, { error, code: 'invalid_amount' }])
  }
  expect((await give('0.5')).body).toEqual({ balance: '100000' })
  expect((await give('0')).body.code).toBe('invalid_amount')
  await running.restart()
  expect((await give('0.01')).body).toMatchObject({ code: 'faucet_limit' })
})

test('a gift that has a name is given once, also to concurrent requests, and after a restart', async () => {
  const give = (amount: string, ref: string) => ask('7', amount, ref)
  const both = await Promise.all([give('100', 'first'), give('100', 'first')])
  expect(both.map(({ body }) => body)).toEqual([{ balance: '100' }, { balance: '100' }])
  await running.restart()
  expect((await give('100', 'first')).body).toEqual({ balance: '100' })
  const other = await give('200', 'first')
  expect([other.status, other.body.code]).toEqual([409, 'duplicate_ref'])
  expect((await give('100', 'second')).body).toEqual({ balance: '200' })
})

test('gifts asked for at once are counted one after the other', async () => {
  const give = () => ask('6', '40000')
  const given = await Promise.all([give(), give(), give(), give()])
  expect(given.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429])
})

test('outside the sandbox there is none', async () => {
  const { edge } = running.server
  const { context } = edge
  const production = { ...edge, context: { ...context, settings: { ...context.settings, sandbox: false } } }
  const app = httpApp(venueRoutes({ edge: production, clientOf: () => '', onBug: () => {} }))
  const answered = async (path: string) => (await app.request(path, { method: 'POST', body: '{}' })).status
  expect([await answered('/sandbox/faucet'), await answered('/operator/deposits')]).toEqual([404, 401])
})
