import { defineEntity, p } from '@mikro-orm/core'
import { Event } from './event.entity.ts'
import { User } from './user.entity.ts'

export const bookmarkSchema = defineEntity({
  name: 'Bookmark',
  tableName: 'bookmark',
  properties: {
    user: () => p.manyToOne(User).primary().deleteRule('cascade'),
    event: () => p.manyToOne(Event).primary().deleteRule('cascade').index(),
    createdAt: p.datetime(3).defaultRaw('now()'),
  },
})

/** An event that a member has bookmarked. */
export class Bookmark extends bookmarkSchema.class {}
bookmarkSchema.setClass(Bookmark)
