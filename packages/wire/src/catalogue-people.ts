import { z } from 'zod'
import { checksumAddress, iso } from './scalars.ts'

/** People and comments in the shapes of the established discovery service. A name that was not chosen is empty. */

const named = {
  proxyWallet: checksumAddress,
  name: z.string(),
  pseudonym: z.string(),
  bio: z.string(),
  profileImage: z.string(),
  displayUsernamePublic: z.boolean(),
}

/** Who an address belongs to. */
export const publicProfile = z.object({
  ...named,
  /** When the account first changed. */
  createdAt: iso,
  users: z.array(z.object({ id: z.string(), creator: z.boolean(), mod: z.boolean() })),
  xUsername: z.string(),
  verifiedBadge: z.boolean(),
})

/** A comment on an event. `parentCommentID` and `replyAddress` are absent unless it answers another comment. */
export const catalogueComment = z.object({
  id: z.string(),
  body: z.string(),
  parentEntityType: z.literal('Event'),
  /** The number of the event. */
  parentEntityID: z.int(),
  parentCommentID: z.string().optional(),
  userAddress: checksumAddress,
  replyAddress: z.string().optional(),
  createdAt: iso,
  updatedAt: iso,
  profile: z.object({ ...named, baseAddress: checksumAddress, isMod: z.boolean(), isCreator: z.boolean() }),
  media: z.array(z.never()),
  reactions: z.array(z.never()),
  reportCount: z.int(),
  reactionCount: z.int(),
})

export type PublicProfile = z.output<typeof publicProfile>
export type CatalogueComment = z.output<typeof catalogueComment>
