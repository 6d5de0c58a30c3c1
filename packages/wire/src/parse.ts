import type { z } from 'zod'
import { ServiceError } from './service-error.ts'

type Issue = z.core.$ZodIssue

/** How specific issues are: the deepest path, also within unions. A list with too many items at the top outweighs everything. */
const weight = (issues: readonly Issue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length + beyond(issue)))
const beyond = (issue: Issue): number =>
  issue.code === 'invalid_union' ? Math.max(0, ...issue.errors.map(weight)) : issue.code === 'too_big' && issue.path.length === 0 ? 100 : 0

/**
 * How foreign a value is to the form that a branch describes: how many keys it has that the form does not know, and whether it is another kind
 * of value altogether. A mistake in one form must not be read as many in another.
 */
const foreign = (issues: readonly Issue[], isWhole = true): number =>
  issues.reduce((sum, issue) => {
    const isOfWhole = isWhole && issue.path.length === 0
    if (issue.code === 'unrecognized_keys') return sum + issue.keys.length
    if (issue.code === 'invalid_union' && issue.errors.length > 0)
      return sum + Math.min(...issue.errors.map((each) => foreign(each, isOfWhole)))
    return issue.code === 'invalid_type' && isOfWhole ? sum + 1000 : sum
  }, 0)

/**
 * How little a value calls itself what a branch describes, by its fields of fixed words, as `type` or `operation`: another word tells against
 * the branch, and no word at all more so.
 */
const misnamed = (issues: readonly Issue[], value: unknown): number =>
  issues.reduce((sum, { code, path }) => {
    if (code !== 'invalid_value' || path.length !== 1 || typeof value !== 'object' || value === null) return sum
    return sum + (Object.hasOwn(value, path[0]!) ? 1 : 2)
  }, 0)

/** Flattens the issues of a value, following each union into the branch that matched best. */
function flatten(
  issues: readonly Issue[],
  value: unknown,
  prefix: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; issue: Issue }[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path]
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, issue }]
    const whole = path.length === 0 ? value : undefined
    const nearest = [...issue.errors].sort(
      (a, b) => foreign(a) - foreign(b) || misnamed(a, whole) - misnamed(b, whole) || weight(b) - weight(a) || a.length - b.length,
    )[0]!
    return flatten(nearest, whole, path)
  })
}

/** The refusal of an invalid payload: `too_many_items`, or `invalid_payload` with at most five problems. */
export function payloadRefusal(error: z.core.$ZodError, value: unknown): ServiceError {
  const found = flatten(error.issues, value)
  const tooMany = found.find(({ issue }) => issue.code === 'too_big' && issue.origin === 'array')
  if (tooMany)
    return new ServiceError('too_many_items', tooMany.issue.message.startsWith('Too many ') ? { text: tooMany.issue.message } : {})
  const details = found.slice(0, 5).map(({ path, issue }) => ({ path: path.map(String).join('.'), problem: issue.message }))
  return new ServiceError('invalid_payload', { details })
}

/** Parses a value by a schema. Throws a `ServiceError` with the paths of the problems. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw payloadRefusal(result.error, value)
  return result.data
}
