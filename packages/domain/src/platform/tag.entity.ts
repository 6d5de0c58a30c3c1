import { defineEntity, p } from '@mikro-orm/core'

export const tagSchema = defineEntity({
  name: 'Tag',
  tableName: 'tag',
  checks: [
    { name: 'tag_slug_form', expression: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80` },
    { name: 'tag_name_length', expression: 'length(name) >= 1 and length(name) <= 80' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('uuidv7()'),
    slug: p.text().unique(),
    name: p.text(),
    /** Main categories are the tabs of the site. */
    isMainCategory: p.boolean().default(false),
    displayOrder: p.integer().default(0),
    /** Hidden from the categories of the site. */
    isHidden: p.boolean().default(false),
    /** Its events are in no list. */
    hideEvents: p.boolean().default(false),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    /** When an admin last edited it; from then on imports do not change it. */
    arrangedAt: p.datetime(3).nullable(),
  },
})

/** A tag of events. */
export class Tag extends tagSchema.class {}
tagSchema.setClass(Tag)

export const tagParentSchema = defineEntity({
  name: 'TagParent',
  tableName: 'tag_parent',
  checks: [{ name: 'tag_parent_not_itself', expression: 'child_id <> parent_id' }],
  properties: {
    child: () => p.manyToOne(Tag).primary().deleteRule('cascade'),
    parent: () => p.manyToOne(Tag).primary().deleteRule('cascade').index(),
  },
})

/** One tag is a sub-category of another; a tag may have several parents. */
export class TagParent extends tagParentSchema.class {}
tagParentSchema.setClass(TagParent)

export const formerTagSchema = defineEntity({
  name: 'FormerTag',
  tableName: 'former_tag',
  checks: [{ name: 'former_tag_slug_form', expression: `slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 80` }],
  properties: {
    slug: p.text().primary(),
    tag: () => p.manyToOne(Tag).deleteRule('cascade').index(),
  },
})

/** A former slug of a tag, or of one that was merged into it: links, drafts and imports that use it find the tag. */
export class FormerTag extends formerTagSchema.class {}
formerTagSchema.setClass(FormerTag)
