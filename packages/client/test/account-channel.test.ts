import { expect, test } from 'vitest'
import { AccountChannel } from '../src/account-channel.ts'

const order = (seq: number, prev_seq: number) => ({ event_type: 'order', seq, prev_seq }) as Parameters<AccountChannel['take']>[0]

test('the position only advances to delivered events', () => {
  let isAway = false
  const delivered: number[] = []
  const channel = new AccountChannel({
    client: { listEvents: () => Promise.reject(new Error('nothing was missed')) },
    onEvent: ({ seq }) => {
      if (isAway) throw new Error('away')
      delivered.push(seq)
    },
    onError: () => {},
    renew: () => {},
  })
  channel.begin(4, 1)
  channel.take(order(5, 4), true)
  isAway = true
  expect(() => channel.take(order(9, 5), true)).toThrow('away')
  expect([delivered, channel.position]).toEqual([[5], 5])
})

test('history is asked for in the largest pages; where it ends before what the stream tells of, that is a failure, and not asked again at once', async () => {
  const asked: object[] = []
  const failed = Promise.withResolvers<unknown>()
  const channel = new AccountChannel({
    client: {
      async listEvents(input) {
        asked.push(input?.query ?? {})
        return { data: [], seq: 4, epoch: 1, after_epoch: 1, next_cursor: 'LTE=' }
      },
    },
    onEvent: () => {},
    onError: failed.resolve,
    renew: () => {},
  })
  channel.begin(4, 1)
  channel.expect(9)
  expect(await failed.promise).toMatchObject({ message: expect.stringContaining('before the stream') })
  expect([asked, channel.position]).toEqual([[{ after: 4, limit: 500 }], 4])
})

test('who starts between two frames of the account hears the next one at once, without history', () => {
  const delivered: number[] = []
  const channel = new AccountChannel({
    client: { listEvents: () => Promise.reject(new Error('nothing was missed')) },
    after: 7,
    onEvent: ({ seq }) => delivered.push(seq),
    onError: () => {},
    renew: () => {},
  })
  channel.begin(4, 1) // the account's last frame, which another of its readers got
  channel.take(order(9, 4), false)
  channel.take(order(9, 4), true)
  channel.take(order(12, 9), true)
  expect([delivered, channel.position]).toEqual([[9, 9, 12], 12])
})

test('a channel that was ended stays so, whatever the socket still tells', () => {
  let asked = 0
  const channel = new AccountChannel({
    client: { listEvents: () => Promise.reject(new Error(String(++asked))) },
    after: 4,
    onEvent: () => {},
    onError: () => {},
    renew: () => {},
  })
  channel.end()
  channel.begin(9, 1)
  expect(asked).toBe(0)
})
