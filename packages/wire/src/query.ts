import { z } from 'zod'
import { PAGE, PAGE_MAX } from './limits.ts'
import type { Auth, Operation, Schema } from './operation.ts'
import { bytes32 } from './scalars.ts'

/** Query of a route of the site; unknown keys are ignored. */
export const publicQuery = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape)

/** Query of a public route of the exchange; unknown keys are refused: without a filter that it misspelled, a program reads other rows. */
export const strictQuery = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape)

/** Query of a signed route; unknown keys are refused, except two that established clients add. */
export const signedQuery = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...shape, signature_type: z.string().optional(), geo_block_token: z.string().optional() })

const anyQuery = publicQuery({})
const bareSignedQuery = signedQuery({})

const UNSIGNED: ReadonlySet<Auth> = new Set(['public', 'optional', 'member', 'admin', 'scheduler'])

/** Whether calls of the operation are signed; unknown query keys are then refused. */
export const isSigned = (op: Operation): boolean => !UNSIGNED.has(op.auth)

/** The schema of an operation's query, with a default for operations that have none. */
export const querySchema = (op: Operation): Schema => op.query ?? (isSigned(op) ? bareSignedQuery : anyQuery)

/** A figure that an empty text is not: read as a number it would be 0. */
export const figureText = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((sent) => (sent === '' ? undefined : sent), schema)

/** `limit`: clamped to 1 … `most`, never refused. */
export const limit = (most = PAGE_MAX, usual = PAGE) =>
  figureText(
    z.coerce
      .number()
      .catch(usual)
      .transform((count) => (Number.isNaN(count) ? usual : Math.min(Math.max(Math.trunc(count), 1), most)))
      .default(usual)
      .describe(`Rows of a page: from 1 to ${most}. What is beyond counts as the nearest.`),
  )

/** `offset`: anything but a non-negative integer counts as 0, and an immense one as the largest. Above `most` it is refused. */
export const offset = (most = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number()
    .catch(0)
    .transform((count) => (Number.isInteger(count) && count > 0 ? Math.min(count, Number.MAX_SAFE_INTEGER) : 0))
    .pipe(z.number().max(most))
    .default(0)
    .describe(most === Number.MAX_SAFE_INTEGER ? 'Rows to skip.' : `Rows to skip, at most ${most}.`)

/** A whole number in a query, refused outside its bounds; `usual` where it is left out or empty. */
const bounded = (least: number, most: number, usual: number, what: string) =>
  figureText(
    z
      .union([
        z
          .string()
          .regex(/^\d{1,16}$/, `expected a whole number from ${least} to ${most}`)
          .transform(Number),
        z.int(),
      ])
      .pipe(z.number().min(least, `at least ${least}`).max(most, `at most ${most}`))
      .default(usual)
      .describe(what),
  )

/** `limit` of a list of the exchange: beyond its bounds it is refused, as a shortened page looks like the last one. */
export const pageSize = (most = PAGE_MAX, usual = PAGE) =>
  bounded(1, most, usual, `Rows of a page: from 1 to ${most}; without it ${usual}.`)

/** `offset` of a list of the exchange, refused beyond `most`. */
export const skipped = (most = Number.MAX_SAFE_INTEGER) =>
  bounded(0, most, 0, most === Number.MAX_SAFE_INTEGER ? 'Rows to skip.' : `Rows to skip, at most ${most}.`)

/** Opaque position in a list, from the previous page. */
export const cursor = z.string().max(512).describe('Where the page before ended: its `next_cursor`. Without it the first page.')

/** A truth in a query, which some clients write with a capital. */
export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false']))
  .transform((text) => text === 'true')

/** A filter, or an empty text where a form left it out. What cannot be read is refused, as without its filter a list has other rows. */
export const filter = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.literal('').transform(() => undefined)]).optional()

/** A filter that is off unless it is turned on. */
export const yes = filter(z.boolean().or(flag)).transform((isOn) => isOn ?? false)

/** One of some words, in any case; `usual` without one. */
export const choice = <const Word extends string>(words: readonly [Word, ...Word[]], usual: NoInfer<Word>) =>
  filter(z.string().toLowerCase().pipe(z.enum(words))).transform((word) => word ?? usual)

/** Unix seconds in a query. */
export const secondsText = z
  .union([z.string().regex(/^\d{1,12}$/, 'expected Unix seconds'), z.int().min(0)])
  .transform(Number)
  .describe('Unix seconds.')

/** A key that may be repeated or hold comma-separated values, at most `most`; `tooMany` replaces the text of that refusal. */
export const several = (most: number, tooMany?: `Too many ${string}`) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value, context) => {
      const values = (Array.isArray(value) ? value : [value]).flatMap((text) => text.split(',')).filter((text) => text !== '')
      if (values.length > most)
        context.addIssue({ code: 'too_big', origin: 'array', maximum: most, inclusive: true, input: value, message: tooMany })
      return values
    })
    .describe(`Repeated, or with commas between; at most ${most}.`)

/** Ids of markets: an invalid one is refused, an unregistered one matches nothing. */
export const marketIds = (most: number) => several(most).pipe(z.array(bytes32).min(1, 'name a market'))
