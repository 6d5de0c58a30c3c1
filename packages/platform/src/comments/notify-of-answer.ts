import { tables } from '@augury/domain/platform/tables'
import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { notify } from '../notifications/notify.ts'

/** Most characters of an answer in its notification. */
const EXCERPT = 200

const sourceOf = (commentId: string) => `answer:${commentId}`

/** Notifies the author of a comment of an answer to it, once. No member is notified of their own answer, nor of one to a deleted comment. */
export async function notifyOfAnswer(em: EntityManager, answerId: string, at: Date): Promise<void> {
  const row = await answered(em, answerId)
  if (!row) return
  const { author, username, title, slug } = row
  const name = username ?? getAddress(row.address)
  const content = [...row.content.replace(/\s+/g, ' ')]
  const text = content.length > EXCERPT ? `${content.slice(0, EXCERPT - 1).join('')}…` : content.join('')
  await notify(em, author, {
    source: sourceOf(answerId),
    category: 'general',
    topic: 'answer',
    kind: 'answer',
    title: 'New answer to your comment',
    description: `${name} in ${title}: ${text}`,
    metadata: { comment: answerId, name, event: title, text },
    link: { type: 'event', target: slug },
    at,
  })
}

/** Deletes the notification of an answer whose text is gone. */
export async function forgetAnswer(em: EntityManager, answerId: string): Promise<void> {
  await tables(em)
    .deleteFrom('notification')
    .using('comment as answer')
    .innerJoin('comment as parent', 'parent.id', 'answer.parent_id')
    .where('answer.id', '=', answerId)
    .whereRef('notification.user_id', '=', 'parent.user_id')
    .where('source', '=', sourceOf(answerId))
    .execute()
}

/** What an answer says, and to whom, unless it answers a deleted comment or its own author. */
const answered = (em: EntityManager, answerId: string) =>
  tables(em)
    .selectFrom('comment as answer')
    .innerJoin('comment as parent', 'parent.id', 'answer.parent_id')
    .innerJoin('users', 'users.id', 'answer.user_id')
    .innerJoin('event', 'event.id', 'answer.event_id')
    .select(['parent.user_id as author', 'answer.content', 'username', 'address', 'event.title', 'event.slug'])
    .where('answer.id', '=', answerId)
    .where('parent.deleted_at', 'is', null)
    .whereRef('parent.user_id', '<>', 'answer.user_id')
    .where('banned_at', 'is', null)
    .executeTakeFirst()
