import { createHash } from 'node:crypto'
import { chanceLine, event, mainTag, relatedEvent } from '@augury/wire/platform/event'
import { z } from 'zod'

/** What keys of lists begin with in a Redis: the site, and the shapes of what is kept, which another release may have changed. */
export function listPrefix(origin: string): string {
  const shapes = z.toJSONSchema(z.object({ event, mainTag, relatedEvent, chanceLine }))
  const shape = createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 8)
  return `augury:${new URL(origin).host}:${shape}:`
}
