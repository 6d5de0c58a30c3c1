import { expect, onTestFinished, test } from 'vitest'
import { send } from './caller.ts'
import { registerMarket } from './market.ts'
import { runningServer } from './running-server.ts'

// A read that cannot be served whole is refused with its bound: a shorter list would look like the end.

const running = await runningServer()
const market = await registerMarket(running, 'ranges')

test.each(['/leaderboard', '/compat/leaderboard', '/compat/v1/leaderboard'])('%s has a thousand places', async (path) => {
  const last = await send(running.url, 'GET', `${path}?offset=1000`)
  expect([last.status, last.body]).toEqual([200, []])
  const beyond = await send(running.url, 'GET', `${path}?offset=1001`)
  expect([beyond.status, beyond.body.code]).toEqual([400, 'invalid_payload'])
  expect(beyond.body.details).toEqual([expect.objectContaining({ path: 'offset', problem: expect.stringContaining('1000') })])
})

test('/compat/trades of a range in which too few trades fit says so, and by what it can be narrowed', async () => {
  const { edge } = running.server
  const { run } = edge
  let pages = 0
  const empty = async () => ({ data: [], next_cursor: `after ${++pages}` }) // looked at, and none of them fits
  Object.assign(edge, { run: ((name, ...rest) => (name === 'listTrades' ? empty() : run(name, ...rest))) satisfies typeof run })
  onTestFinished(() => void Object.assign(edge, { run }))
  const { status, body } = await send(running.url, 'GET', `/compat/trades?market=${market.condition}&filterType=CASH&filterAmount=1000000`)
  expect([status, body.code, body.details]).toEqual([400, 'invalid_payload', [{ path: 'start', problem: body.error }]])
  expect(body.error).toBe('200 pages of trades have too few of these: name a market or a user, or a later start')
  expect(pages).toBe(201)
})
