import type { AccountEvent } from '@augury/wire/user-stream'
import { expect, test } from 'vitest'
import type { Member } from '../src/identity/viewer.ts'
import { memberEvents } from '../src/notifications/member-events.ts'
import type { Site } from '../src/site.ts'

test('the stream of a client that does not read ends when its buffer is full', async () => {
  const followers = new Set<(event: AccountEvent) => void>()
  const follow = (_account: string, listener: (event: AccountEvent) => void) => {
    followers.add(listener)
    return () => void followers.delete(listener)
  }
  const options = { stillThere: async () => true, signal: new AbortController().signal, from: null }
  const stream = memberEvents({ accountFeeds: { follow } } as unknown as Site, { address: '0x1' } as unknown as Member, options)
  const happens = (seq: number) => {
    for (const hear of followers) hear({ seq } as AccountEvent)
  }
  const first = stream.next()
  happens(1)
  expect((await first).value).toEqual([{ seq: 1 }])
  for (let seq = 2; followers.size > 0 && seq < 100_000; seq++) happens(seq)
  expect(followers.size).toBe(0)
  expect((await stream.next()).done).toBe(true)
})
