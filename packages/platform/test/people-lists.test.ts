import { commentOperations } from '@augury/wire/platform/comments'
import { beforeAll, expect, test } from 'vitest'
import { anonymous } from '../src/authorization/viewer.ts'
import { listComments } from '../src/comments/manage-comments.ts'
import type { Site } from '../src/site/site.ts'
import { testPlatform } from './test-platform.ts'

const { platform } = await testPlatform()
const em = platform.em()
const { query } = commentOperations.listComments

beforeAll(async () => {
  await em.execute(`insert into event (slug, title, creator, status) values ('talk', 'Talk?', '0x' || repeat('c1', 20), 'active')`)
  await em.execute(
    `insert into users (address, affiliate_code) select '0x' || lpad(to_hex(n), 40, '0'), 'member' || n from generate_series(1, 4) n`,
  )
  await em.execute(
    `insert into comment (user_id, event_id, content, created_at)
     select users.id, event.id, n::text, now() - n * interval '1 s' from event, users, generate_series(1, 3000) n where affiliate_code = 'member1'`,
  )
  await em.execute(
    `insert into comment_mark (comment_id, user_id, kind, created_at)
     select comment.id, users.id, kind, now() from comment, users, unnest(array['like', 'report']) kind
     where content::int % 1000 < 3 and content::int % 1000 < right(affiliate_code, 1)::int`,
  )
  await em.execute('vacuum analyze')
})

const likes = async () =>
  (await listComments(platform as Site, anonymous, { query: query.parse({ event: 'talk', sort: 'likes', limit: '9' }) })).map(
    ({ content, likes_count }) => [Number(content), likes_count],
  )

test('likes are counted as they come and go, reports are not', async () => {
  const liked = [[1000, 4], [2000, 4], [3000, 4], [1, 3], [1001, 3], [2001, 3], [2, 2], [1002, 2], [2002, 2]] // biome-ignore format: pairs
  expect(await likes()).toEqual(liked)
  await em.execute(`delete from users where affiliate_code = 'member4'`)
  expect(await likes()).toEqual(liked.map(([content, n]) => [content, n! - 1]))
})

test('the most liked comments are read from an index', async () => {
  const rows: { 'QUERY PLAN': string }[] = await em.execute(
    `explain select id from comment where event_id = (select id from event) and parent_id is null
     order by likes_count desc, created_at desc, id desc limit 20`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/^Limit.*\n.*\n(.*\n)*.*using comment_most_liked/)
})
