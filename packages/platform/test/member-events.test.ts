import type { AccountEvent } from '@augury/wire/user-stream'
import { expect, test } from 'vitest'
import type { Member } from '../src/authorization/viewer.ts'
import { memberEvents } from '../src/inbox/member-events.ts'
import type { Site } from '../src/site/site.ts'

/** The stream of a member whose events happen as told. */
function streamed() {
  const followers = new Set<(event: AccountEvent) => void>()
  const follow = (_account: string, listener: (event: AccountEvent) => void) => {
    followers.add(listener)
    return () => void followers.delete(listener)
  }
  const options = { stillThere: async () => true, signal: new AbortController().signal, from: null }
  const stream = memberEvents({ accountFeeds: { follow } } as unknown as Site, { address: '0x1' } as unknown as Member, options)
  const happens = (seq: number, epoch = 1) => {
    for (const hear of followers) hear({ seq, epoch } as AccountEvent)
  }
  return { stream, followers, happens }
}

test('the stream of a client that does not read ends when its buffer is full', async () => {
  const { stream, followers, happens } = streamed()
  const first = stream.next()
  happens(1)
  expect((await first).value).toEqual([{ seq: 1, epoch: 1 }])
  for (let seq = 2; followers.size > 0 && seq < 100_000; seq++) happens(seq)
  expect(followers.size).toBe(0)
  expect((await stream.next()).done).toBe(true)
})

test('what happens on a new timeline is sent, whatever positions the one before had reached, and nothing twice', async () => {
  const { stream, happens } = streamed()
  const first = stream.next()
  happens(10)
  expect((await first).value).toEqual([{ seq: 10, epoch: 1 }])
  for (const [seq, epoch] of [
    [10, 1],
    [8, 2],
    [10, 2],
    [8, 2],
  ] as const)
    happens(seq, epoch)
  expect((await stream.next()).value).toEqual([
    { seq: 8, epoch: 2 },
    { seq: 8, epoch: 2 },
  ])
  expect((await stream.next()).value).toEqual([{ seq: 10, epoch: 2 }])
})
