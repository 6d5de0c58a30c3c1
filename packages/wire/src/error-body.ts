import { z } from 'zod'
import { type RefusalCode, refusalCodes } from './refusals.ts'

/** What every refusal answers, besides the extras that a route names. */
export const errorBody = z.looseObject({
  error: z.string(),
  code: z.enum(refusalCodes as [RefusalCode, ...RefusalCode[]]),
  details: z.unknown().optional(),
})
