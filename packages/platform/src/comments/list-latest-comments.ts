import { tables } from '@augury/domain/platform/tables'
import type { Input } from '@augury/wire/operation'
import type { commentOperations, LatestComment } from '@augury/wire/platform/comments'
import { getAddress } from 'viem'
import type { Platform } from '../site/platform.ts'

type Query = Input<typeof commentOperations.listLatestComments>['query']

/** Comments on events that everybody may see, newest first: none of hidden events, and none that were deleted. */
export async function listLatestComments(platform: Platform, query: Query): Promise<LatestComment[]> {
  const order = query.ascending ? 'asc' : 'desc'
  const { event, user, id } = query
  const rows = await tables(platform.em())
    .selectFrom('comment')
    .innerJoin('users', 'users.id', 'comment.user_id')
    .innerJoin('event', 'event.id', 'comment.event_id')
    .leftJoin('comment as parent', 'parent.id', 'comment.parent_id')
    .leftJoin('users as author', 'author.id', 'parent.user_id')
    .select(['comment.id', 'comment.parent_id as parent', 'comment.content', 'comment.likes_count', 'comment.created_at'])
    .select(['event.slug as event', 'users.username', 'users.address', 'users.image_url as image', 'author.address as reply_to'])
    .where('comment.deleted_at', 'is', null)
    .where('event.status', '<>', 'draft')
    .where('event.hidden_at', 'is', null)
    .$if(event !== undefined, (asked) => asked.where('event.slug', '=', event!))
    .$if(user !== undefined, (asked) => asked.where((eb) => eb(eb.fn('lower', ['users.address']), '=', user!)))
    .$if(id !== undefined, (asked) => asked.where('comment.id', '=', id!))
    .orderBy('comment.created_at', order)
    .orderBy('comment.id', order)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return rows.map(({ username, address, image, created_at, reply_to, ...row }) => ({
    ...row,
    user: { username, address: getAddress(address), image },
    reply_to: reply_to === null ? null : getAddress(reply_to),
    created_at: created_at.toISOString(),
  }))
}
