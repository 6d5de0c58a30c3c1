import { z } from 'zod'
import { TOKEN_BATCH } from './limits.ts'
import { tokenText } from './scalars.ts'

/** A batch of tokens. Only `/prices` uses `side`, but established clients always send it. Repeated tokens are answered once. */
export const tokenBatch = z.array(z.strictObject({ token_id: tokenText, side: z.string().max(8).optional() })).max(TOKEN_BATCH)

export type TokenBatch = z.output<typeof tokenBatch>
