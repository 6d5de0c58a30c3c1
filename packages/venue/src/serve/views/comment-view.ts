import type { CatalogueComment } from '@augury/wire/catalogue-people'
import type { LatestComment } from '@augury/wire/platform/comments'

/** The numbers of events by their slugs; of several creators’ the first, as it is found by its slug. */
export const eventNumbers = ({ events }: { events: readonly { slug: string; number: number }[] }): ReadonlyMap<string, number> =>
  new Map(events.toReversed().map(({ slug, number }) => [slug, number]))

/** A comment of the site in the established shape; null when the exchange does not list its event. */
export function commentView(comment: LatestComment, numbers: ReadonlyMap<string, number>): CatalogueComment | null {
  const { id, parent, content, event, reply_to, created_at, user, likes_count } = comment
  const parentEntityID = numbers.get(event)
  if (parentEntityID === undefined) return null
  const { address, username } = user
  return {
    id,
    body: content,
    parentEntityType: 'Event',
    parentEntityID,
    ...(parent === null ? {} : { parentCommentID: parent }),
    userAddress: address,
    ...(reply_to === null ? {} : { replyAddress: reply_to }),
    createdAt: created_at,
    updatedAt: created_at,
    profile: {
      proxyWallet: address,
      baseAddress: address,
      name: username ?? '',
      pseudonym: username ?? '',
      bio: '',
      profileImage: user.image,
      displayUsernamePublic: username !== null,
      isMod: false,
      isCreator: false,
    },
    media: [],
    reactions: [],
    reportCount: 0,
    reactionCount: likes_count,
  }
}
