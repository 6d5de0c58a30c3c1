import { z } from 'zod'
import { operation } from '../operation.ts'
import { limit, offset, publicQuery } from '../query.ts'
import { picture } from './market.ts'

const iso = z.iso.datetime()
const success = z.object({ success: z.literal(true) })
const member = { auth: 'member', repeatable: true } as const

/** A notification of a member. `link_target` is a slug or an id, depending on `link_type`. */
const memberNotification = z.object({
  id: z.string(),
  category: z.enum(['trade', 'system', 'general']),
  title: z.string(),
  description: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  link_type: z.enum(['none', 'market', 'event', 'order', 'settings', 'profile', 'external']),
  link_target: z.string(),
  link_url: z.string(),
  picture,
  read_at: iso.nullable(),
  created_at: iso,
})

/** Bookmarks and notifications of members. */
export const belongingOperations = {
  addBookmark: operation({
    ...member,
    method: 'POST',
    path: '/api/bookmarks',
    summary: 'Bookmarks an event.',
    body: z.strictObject({ eventId: z.uuid() }),
    output: success,
    refusals: ['event_not_found'],
  }),
  removeBookmark: operation({
    ...member,
    method: 'DELETE',
    path: '/api/bookmarks/{eventId}',
    summary: 'Removes a bookmark.',
    params: z.object({ eventId: z.uuid() }),
    output: success,
    refusals: [],
  }),
  listNotifications: operation({
    ...member,
    method: 'GET',
    path: '/api/notifications',
    summary: 'The member’s notifications, newest first.',
    query: publicQuery({ offset: offset(), limit: limit(100, 50) }),
    output: z.array(memberNotification),
    refusals: [],
  }),
  markNotification: operation({
    ...member,
    method: 'PUT',
    path: '/api/notifications/{id}',
    summary: 'Marks one notification as read, or as unread.',
    params: z.object({ id: z.string().min(1).max(64) }),
    body: z.strictObject({ read: z.boolean().default(true) }).default({ read: true }),
    output: memberNotification,
    refusals: ['notification_not_found'],
  }),
  markAllNotifications: operation({
    ...member,
    method: 'PUT',
    path: '/api/notifications',
    summary: 'Marks all notifications as read.',
    body: z.strictObject({ read: z.literal(true) }),
    output: success,
    refusals: [],
  }),
} as const

export type MemberNotification = z.output<typeof memberNotification>
