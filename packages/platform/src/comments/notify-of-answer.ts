import type { EntityManager } from '@mikro-orm/postgresql'
import { getAddress } from 'viem'
import { notify } from '../notifications/notify.ts'

/** Most characters of an answer in its notification. */
const EXCERPT = 200

interface Row {
  author: string
  content: string
  username: string | null
  address: string
  title: string
  slug: string
}

const sourceOf = (commentId: string) => `answer:${commentId}`

/** Notifies the author of a comment of an answer to it, once. No member is notified of their own answer, nor of one to a deleted comment. */
export async function notifyOfAnswer(em: EntityManager, answerId: string, at: Date): Promise<void> {
  const [row]: Row[] = await em.execute(ANSWERED, [answerId])
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
  await em.execute(FORGET, [answerId, sourceOf(answerId)])
}

const ANSWERED = `
  select parent.user_id as author, answer.content, username, address, event.title, event.slug
  from comment answer
  join comment parent on parent.id = answer.parent_id and parent.deleted_at is null and parent.user_id <> answer.user_id
  join users on users.id = answer.user_id and banned_at is null
  join event on event.id = answer.event_id
  where answer.id = ?`

/** By user, so that the unique index finds it. */
const FORGET = `
  delete from notification using comment answer join comment parent on parent.id = answer.parent_id
  where answer.id = ? and notification.user_id = parent.user_id and source = ?`
