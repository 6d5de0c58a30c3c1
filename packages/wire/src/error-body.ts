import { z } from 'zod'
import { type RefusalCode, refusalCodes } from './refusals.ts'

/** Body of every refusal; some routes add keys. */
export const errorBody = z.looseObject({
  error: z.string(),
  code: z.enum(refusalCodes as [RefusalCode, ...RefusalCode[]]),
  details: z.unknown().optional(),
})
