import { createHash } from 'node:crypto'
import { chanceLine, event, mainTag, relatedEvent } from '@augury/wire/platform/event'
import { z } from 'zod'

/** Prefix of list keys in Redis: the site, and a hash of the cached shapes, which differ between releases. */
export function listPrefix(origin: string): string {
  const shapes = z.toJSONSchema(z.object({ event, mainTag, relatedEvent, chanceLine }))
  const shape = createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 8)
  return `augury:${new URL(origin).host}:${shape}:`
}
