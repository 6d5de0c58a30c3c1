import type { TokenBatch } from '@augury/wire/token-batch'

/** A batch of tokens as nearly everybody writes it: compact, ids of letters and digits, nothing beside them. */
const BATCH = /^\[\{"token_id":"[0-9A-Za-z]{1,128}"(?:\},\{"token_id":"[0-9A-Za-z]{1,128}")*\}\]$/
const OPENING = '[{"token_id":"'
const BETWEEN = '"},{"token_id":"'
const CLOSING = '"}]'

/** Batches that are remembered, and how long they may be: who watches a set of markets asks for the same one again and again. */
const REMEMBERED = 32
const REMEMBERED_BYTES = 16 * 1024

const remembered: { body: Buffer; batch: TokenBatch }[] = []
let oldest = 0

/** The batch of a body, or undefined when it is written otherwise or has more than `most`. The same bytes again are the same batch. */
export function readTokens(body: Uint8Array, most: number): TokenBatch | undefined {
  for (const known of remembered) if (known.body.length === body.length && known.body.equals(body)) return known.batch
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const text = bytes.toString('latin1')
  if (!BATCH.test(text)) return undefined
  const ids = text.slice(OPENING.length, -CLOSING.length).split(BETWEEN)
  if (ids.length > most) return undefined
  const batch: TokenBatch = ids.map((token_id) => ({ token_id }))
  if (bytes.length > REMEMBERED_BYTES) return batch
  remembered[oldest] = { body: Buffer.from(bytes), batch }
  oldest = (oldest + 1) % REMEMBERED
  return batch
}
