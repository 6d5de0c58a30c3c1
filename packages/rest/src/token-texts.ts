import type { TokenBatch } from '@augury/wire/token-batch'

/** A batch of tokens as nearly everybody writes it: compact, ids of letters and digits, nothing beside them. */
const BATCH = /^\[\{"token_id":"[0-9A-Za-z]{1,128}"(?:\},\{"token_id":"[0-9A-Za-z]{1,128}")*\}\]$/
const OPENING = '[{"token_id":"'
const BETWEEN = '"},{"token_id":"'
const CLOSING = '"}]'

/** Batches that are remembered, and how long they may be: who watches a set of markets asks for the same one again and again. */
const REMEMBERED = 128
const REMEMBERED_BYTES = 16 * 1024
/** Different batches among which the same one must come again to be remembered. */
const SEEN = 256

/** By their marks, oldest first. */
const remembered = new Map<string, { body: Buffer; batch: TokenBatch }>()
const seen = new Set<string>()

/**
 * The batch of a body, or undefined when it is written otherwise or has more than `most`. From the second time on the same bytes are
 * mostly the same batch, which is then frozen: whoever gets it may keep what it made of it.
 */
export function readTokens(body: Uint8Array, most: number): TokenBatch | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const mark = `${bytes.length} ${bytes.toString('latin1', OPENING.length, OPENING.length + 24)}${bytes.toString('latin1', bytes.length - 24)}`
  const known = remembered.get(mark)
  if (known?.body.equals(bytes)) return known.batch
  const text = bytes.toString('latin1')
  if (!BATCH.test(text)) return undefined
  const ids = text.slice(OPENING.length, -CLOSING.length).split(BETWEEN)
  if (ids.length > most) return undefined
  const batch: TokenBatch = ids.map((token_id) => ({ token_id }))
  if (bytes.length <= REMEMBERED_BYTES) note(mark, bytes, batch)
  return batch
}

/** What comes once is not kept: it would only push out what comes again. */
function note(mark: string, bytes: Buffer, batch: TokenBatch): void {
  if (!seen.has(mark)) {
    if (seen.size >= SEEN) seen.clear()
    seen.add(mark)
    return
  }
  remembered.delete(mark)
  remembered.set(mark, { body: Buffer.from(bytes), batch: Object.freeze(batch) as TokenBatch })
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!)
}
