import { httpVisit } from '@augury/platform/authorization/visit'
import { endSession, startSession } from '@augury/platform/identity/sessions'
import { notify } from '@augury/platform/notifications/notify'
import { expect, test } from 'vitest'
import { testSite } from '../../platform/test/test-site.ts'
import { servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite({}, 1)
const bugs: unknown[] = []

async function member(digit: string) {
  const [{ id }] = (await site
    .em()
    .execute('insert into users (address, affiliate_code) values (?, ?) returning id', [`0x${digit.repeat(40)}`, digit.repeat(8)])) as [
    { id: string },
  ]
  const visit = httpVisit({ method: 'GET', header: () => undefined, clientAddress: '192.0.2.1' }, true)
  return { id, token: await startSession(site.em(), id, visit, site.now()) }
}
const addNotification = (userId: string, title: string) =>
  site
    .em()
    .transactional((em) => notify(em, userId, { source: title, category: 'system', kind: 'test', title, description: '', at: site.now() }))

/** The text of a stream as it arrives; `until` waits for one of some words, `ended` for its end. */
async function listen(token: string, lastEventId?: string) {
  const leaving = new AbortController()
  const input = lastEventId === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ lastEventId }))}`
  const request = new Request(`https://site.test/trpc/onNotification${input}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    signal: leaving.signal,
  })
  const response = await servePlatformRoot(site, request, { clientAddress: '192.0.2.1' }, (error) => void bugs.push(error))
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const until = async (...words: string[]) => {
    while (!words.some((word) => received.includes(word))) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream ended after ${received}`)
      received += value
    }
    return received
  }
  const ended = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return received
      received += value
    }
  }
  return { status: response.status, type: response.headers.get('content-type'), until, ended, leave: () => leaving.abort() }
}
/** Waits until the stream is following, after its first read. */
const following = async () => {
  for (let i = 0; i < 200; i++) {
    const rows = await site
      .em()
      .execute(`select from pg_stat_activity where application_name = 'augury notifications' and query like 'listen%'`)
    if (rows.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a member gets new notifications once each, and none of others', async () => {
  const [one, other] = [await member('1'), await member('2')]
  await addNotification(one.id, 'long ago')
  const stream = await listen(one.token)
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream'])
  await stream.until('connected')
  await following()
  await addNotification(other.id, 'for the other')
  await addNotification(one.id, 'first')
  await stream.until('"first"')
  await addNotification(one.id, 'second')
  await addNotification(one.id, 'second')
  await addNotification(one.id, 'third')
  const received = await stream.until('"third"')
  expect([...received.matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)).toEqual(['first', 'second', 'third'])
  stream.leave()
})

test('a client that resumes after its last event id misses nothing and gets nothing twice', async () => {
  const { id, token } = await member('4')
  const stream = await listen(token)
  await stream.until('connected')
  await following()
  await addNotification(id, 'heard')
  const received = await stream.until('"heard"')
  const [, last] = /id: ([0-9a-f-]{36})/.exec(received + (await stream.until('id: '))) ?? []
  stream.leave()
  await addNotification(id, 'missed')
  const again = await listen(token, last)
  await addNotification(id, 'new')
  const rest = await again.until('"new"')
  expect([...rest.matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)).toEqual(['missed', 'new'])
  again.leave()
})

test('a client that was away for more than a page of notifications misses none of them', async () => {
  const { id, token } = await member('9')
  await addNotification(id, 'heard')
  const [heard] = (await site.em().execute('select id from notification where user_id = ?', [id])) as { id: string }[]
  const missed = Array.from({ length: 250 }, (_, i) => `missed ${i}`)
  for (const title of missed) await addNotification(id, title)
  const stream = await listen(token, heard!.id)
  const received = await stream.until('"missed 249"')
  expect([...received.matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)).toEqual(missed)
  stream.leave()
})

test('what is committed late, behind a page of newer notifications, is delivered, and nothing before it twice', async () => {
  const { id, token } = await member('a')
  const stream = await listen(token)
  await stream.until('connected')
  await following()
  const em = site.em().fork()
  await em.begin()
  const at = new Date(site.now().getTime() - 3_600_000)
  await notify(em, id, { source: 'late', category: 'system', kind: 'test', title: 'late', description: '', at })
  for (let i = 0; i < 101; i++) await addNotification(id, `newer ${i}`)
  await stream.until('"newer 100"')
  await em.commit()
  await stream.until('"late"')
  const [newest] = (await site.em().execute('select id from notification where user_id = ? order by id desc limit 1', [id])) as {
    id: string
  }[]
  await addNotification(id, 'last')
  const received = await stream.until('"last"')
  const ids = [...received.matchAll(/^id: (\S+)$/gm)].map(([, each]) => each)
  expect(ids.slice(0, 102)).toEqual(ids.slice(0, 102).toSorted())
  expect(ids[101]).toBe(newest!.id)
  stream.leave()
  const again = await listen(token, newest!.id)
  const rest = await again.until('"last"')
  expect([...rest.matchAll(/"title":"([^"]+)"/g)].map(([, title]) => title)).toEqual(['last'])
  again.leave()
})

test.each([
  ['x', '5'],
  ['1-1', '6'],
  ["' or true", '7'],
])('the invalid id %s is refused', async (lastEventId, digit) => {
  const stream = await listen((await member(digit)).token, lastEventId)
  expect(await stream.until('invalid_payload')).not.toContain('title')
})

test('a session that ended gets nothing more', async () => {
  const { id, token } = await member('3')
  const stream = await listen(token)
  await stream.until('connected')
  await following()
  const [session] = (await site.em().execute('select id from session where user_id = ?', [id])) as { id: string }[]
  await endSession(site.em(), id, session!.id)
  await addNotification(id, 'too late')
  expect(await stream.ended()).not.toContain('too late')
})

test('the twenty-first stream of a member is refused', async () => {
  const { token } = await member('8')
  const streams = await Promise.all(Array.from({ length: 21 }, () => listen(token)))
  expect(await Promise.any(streams.map((stream) => stream.until('rate_limited')))).not.toContain('title')
  for (const stream of streams) stream.leave()
})

test('an anonymous caller is refused', async () => {
  const stream = await listen('a'.repeat(43))
  expect(await stream.until('unauthenticated')).not.toContain('title')
  expect(bugs).toEqual([])
})
