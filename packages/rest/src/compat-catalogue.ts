import { catalogueOperations } from '@augury/wire/operations/catalogue'
import type { ServiceError } from '@augury/wire/service-error'
import type { Answer } from './answer.ts'

/** Listings of the established discovery service. */

/** Whether an operation is one of them. */
export const isOfCatalogue = (name: string): boolean => Object.hasOwn(catalogueOperations, name)

/** What the schema found wrong, in the words of that service. */
function problemOf({ details, message }: ServiceError): string {
  const [first] = Array.isArray(details) ? details : []
  if (!first) return message
  const [word] = String(first.path).split('.')
  return word === 'order' ? first.problem : `${word} is invalid`
}

/** A refusal as clients of that service read it, or null where it is none of its own. */
export function catalogueRefusal(name: string, error: ServiceError, headers: Record<string, string>): Answer | null {
  const { code } = error
  const answer = (status: number, type: string, text: string): Answer => ({
    status,
    headers,
    body: JSON.stringify({ type, error: text, code }),
  })
  if (code === 'unknown_event' || code === 'unknown_market' || code === 'not_found')
    return answer(404, 'not found error', name.endsWith('BySlug') ? 'slug not found' : 'id not found')
  if (code === 'invalid_payload' || code === 'too_many_items') return answer(422, 'validation error', problemOf(error))
  return null
}
