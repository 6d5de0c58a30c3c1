import { eventually } from '@augury/testing/eventually'
import { LOGIN_MS } from '@augury/wire/limits'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RefusedError } from '../src/answer.ts'
import type { UserStreamOptions } from '../src/user-stream.ts'
import { apiKey, followedExchange } from './followed-exchange.ts'

test('logs in with a signature over its path, and delivers every event from then on', async () => {
  const { heard, happen, told, stream } = await followedExchange({ markets: ['0x2'], cancelOnDisconnect: true })
  expect(heard).toEqual([
    {
      type: 'user',
      auth: {
        key: apiKey.key,
        passphrase: 'p',
        timestamp: expect.stringMatching(/^\d{10}$/),
        signature: expect.stringMatching(/^[\w-]{43}=$/),
      },
      markets: ['0x2'],
      cancel_on_disconnect: true,
    },
  ])
  happen()
  happen()
  await eventually(() => expect(told).toEqual([30, 40]))
  expect(stream.position).toBe(40)
})

test('a wrong clock is corrected from the server’s time', async () => {
  const { say, heard, stream } = await followedExchange()
  say({ event_type: 'error', error: 'Unauthenticated', code: 'stale_timestamp' })
  await eventually(() => expect(heard.length).toBe(2))
  expect(Math.abs(Number(heard[1].auth.timestamp) - 1_800_000_000)).toBeLessThan(60)
  await eventually(() => expect(stream.status).toBe('live'))
})

test('a server’s time that does not come is not waited for until the server hangs up on who says nothing', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeout.mockRestore())
  const getTime: UserStreamOptions['client']['getTime'] = async (_, how) => {
    how?.signal?.throwIfAborted()
    return new Promise(() => {})
  }
  const { heard, say } = await followedExchange({ client: { getTime, listEvents: () => Promise.reject(new Error('away')) } })
  say({ event_type: 'error', error: 'Unauthenticated', code: 'stale_timestamp' })
  await eventually(() => expect(heard.length).toBe(2))
  expect(timeout.mock.lastCall![0]).toBeLessThan(LOGIN_MS)
})

test('a refused login ends the stream as refused', async () => {
  const { sockets, stream } = await followedExchange()
  sockets.at(-1)!.close(4001)
  await eventually(() => expect(stream.status).toBe('refused'))
})

test('a refused login is reported with the same error as a refused request', async () => {
  const { sockets, say, stream, errors } = await followedExchange()
  say({ event_type: 'error', error: 'This API key may not do that', code: 'insufficient_scope' })
  sockets.at(-1)!.close(4001)
  await eventually(() => expect(stream.status).toBe('refused'))
  expect(errors).toEqual([expect.any(RefusedError)])
  expect(errors[0]).toMatchObject({ status: 403, code: 'insufficient_scope', message: 'This API key may not do that' })
})
