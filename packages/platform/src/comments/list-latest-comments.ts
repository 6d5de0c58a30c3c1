import type { Input } from '@augury/wire/operation'
import type { commentOperations, LatestComment } from '@augury/wire/platform/comments'
import { getAddress } from 'viem'
import type { Platform } from '../site/platform.ts'

type Query = Input<typeof commentOperations.listLatestComments>['query']

interface Row extends Omit<LatestComment, 'user' | 'created_at'> {
  username: string | null
  address: string
  image: string
  created_at: string | Date
}

/** Comments on events that everybody may see, newest first: none of hidden events, and none that were deleted. */
export async function listLatestComments(platform: Platform, query: Query): Promise<LatestComment[]> {
  const filters: [sql: string, value: unknown][] = [
    ['event.slug = ?', query.event],
    ['lower(users.address) = ?', query.user],
    ['comment.id = ?', query.id],
  ]
  const asked = filters.filter(([, value]) => value !== undefined)
  const order = query.ascending ? 'asc' : 'desc'
  const rows: Row[] = await platform.em().execute(
    `select comment.id, comment.parent_id as parent, comment.content, comment.likes_count, comment.created_at, event.slug as event,
       users.username, users.address, users.image_url as image,
       (select author.address from comment parent join users author on author.id = parent.user_id where parent.id = comment.parent_id) as reply_to
     from comment join users on users.id = comment.user_id join event on event.id = comment.event_id
     where comment.deleted_at is null and event.status <> 'draft' and event.hidden_at is null ${asked.map(([sql]) => `and ${sql}`).join(' ')}
     order by comment.created_at ${order}, comment.id ${order} limit ? offset ?`,
    [...asked.map(([, value]) => value), query.limit, query.offset],
  )
  return rows.map(({ username, address, image, created_at, reply_to, ...row }) => ({
    ...row,
    user: { username, address: getAddress(address), image },
    reply_to: reply_to && getAddress(reply_to),
    created_at: new Date(created_at).toISOString(),
  }))
}
