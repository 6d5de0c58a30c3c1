import { expect, test } from 'vitest'
import { muteNotifications } from '../src/account/preferences.ts'
import { workerScheduler } from '../src/authorization/scheduler.ts'
import type { Member } from '../src/authorization/viewer.ts'
import { addComment, deleteComment } from '../src/comments/manage-comments.ts'
import { runJob } from '../src/jobs/run-job.ts'
import { proposeResolution } from '../src/resolution/decide.ts'
import { settlementJob } from '../src/resolution/settle.ts'
import type { Site } from '../src/site/site.ts'
import { LedgerExchange } from './ledger-exchange.ts'
import { CREATOR, discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const rows = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => platform.em().execute(sql, values)
await openEvents(platform, [
  discoveryEvent('rain', 'Will there be rain?', ['weather'], [{ slug: 'rain' }]),
  discoveryEvent('cup', 'Who wins the cup?', ['sports'], [{ slug: 'reds' }, { slug: 'blues' }, { slug: 'greens' }]),
])

let members = 0
async function newMember(): Promise<Member> {
  const address = `0xaa${(++members).toString(16).padStart(38, '0')}`
  const [row] = await rows<{ id: string }>('insert into users (address, affiliate_code) values (?, ?) returning id', [
    address,
    `code${members}x`,
  ])
  return { kind: 'member', id: row!.id, address, banned: false } as unknown as Member
}
const say = (member: Member, content: string, parent?: string, event = 'rain') =>
  addComment(platform as Site, member, { body: { event, content, ...(parent && { parent }) } })
const save = (member: Member, slug: string) =>
  rows('insert into bookmark (user_id, event_id) select ?, id from event where slug = ?', [member.id, slug])
const mute = (member: Member, muted: 'answer' | 'result') => muteNotifications(platform as Site, member, { body: { muted: [muted] } })
const told = async ({ id }: Member) =>
  (await rows<{ description: string }>('select description from notification where user_id = ? order by id', [id])).map(
    (row) => row.description,
  )

const exchange = new LedgerExchange(CREATOR)
async function idOf(slug: string): Promise<string> {
  const [market] = await rows<{ id: string }>('select condition_id as id from market where slug = ?', [slug])
  return market!.id
}
async function resolve(slug: string, weight: number): Promise<void> {
  const operator = { kind: 'operator', userId: (await newMember()).id, address: CREATOR, named: [] } as const
  const proposal = { conditionId: await idOf(slug), weight, disputeSeconds: 0, note: 'seen' }
  await platform.em().transactional((em) => proposeResolution(em, operator, proposal, platform.now()))
  const run = await runJob(
    platform,
    workerScheduler('test'),
    settlementJob(async () => exchange.client, CREATOR),
  )
  expect(run).toMatchObject({ success: true, errors: 0 })
}

test('the author of a comment is notified of each answer once, and of none that is their own, muted, or deleted', async () => {
  const [author, other, quiet] = [await newMember(), await newMember(), await newMember()]
  const { id } = await say(author, 'It will.')
  const ref = crypto.randomUUID()
  const answer = { event: 'rain', content: `Why?\n${'x'.repeat(300)}`, parent: id, ref }
  for (const _ of [1, 2]) await addComment(platform as Site, other, { body: answer })
  await say(author, 'Because.', id)
  expect(await told(author)).toEqual([expect.stringMatching(/^0xaa\w+ in Will there be rain\?: Why\? x{194}…$/i)])
  expect(await told(other)).toEqual([])
  await deleteComment(platform, other, { params: { id: ref } })
  expect(await told(author)).toEqual([])

  await mute(quiet, 'answer')
  await say(other, 'And you?', (await say(quiet, 'It may.')).id)
  expect(await told(quiet)).toEqual([])
})

test('members who saved an event or commented on it are notified of its result once, and holders as holders', async () => {
  const [saver, writer, holder, muted, deleted] = (await Promise.all([1, 2, 3, 4, 5].map(newMember))) as [
    Member,
    Member,
    Member,
    Member,
    Member,
  ]
  for (const each of [saver, holder, muted]) await save(each, 'rain')
  await say(writer, 'It will.')
  await say(saver, 'It will not.')
  await deleteComment(platform, deleted, { params: { id: (await say(deleted, 'Nothing.')).id } })
  await mute(muted, 'result')
  const id = await idOf('rain')
  for (const each of [id, await idOf('reds')]) exchange.open(each)
  exchange.trade(id, holder.address, (await newMember()).address, 4000, 100)
  await resolve('rain', 10_000)
  await resolve('reds', 0) // the job runs once more, and has nothing to add
  expect(await told(saver)).toEqual(['Will rain happen?: Yes.'])
  expect(await told(writer)).toEqual(['Will rain happen?: Yes.'])
  expect(await told(holder)).toEqual([expect.stringContaining('Will rain happen?: Yes. 1 Yes pay')])
  expect([await told(muted), await told(deleted)]).toEqual([[], []])
})

test('of an event with several markets the result is the one that pays Yes', async () => {
  const saver = await newMember()
  await save(saver, 'cup')
  for (const slug of ['blues', 'greens']) exchange.open(await idOf(slug))
  await resolve('blues', 10_000)
  expect(await told(saver)).toEqual(['Will blues happen?: Yes.'])
  await resolve('greens', 0)
  expect(await told(saver)).toEqual(['Will blues happen?: Yes.'])
})
