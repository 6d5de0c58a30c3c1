import { isDeepStrictEqual } from 'node:util'
import { refusalCodesOf } from '@augury/wire/documents/openapi'
import type { Operation } from '@augury/wire/operation'
import { refusedAction } from '@augury/wire/platform/admin-envelope'
import { adminOperations } from '@augury/wire/platform/admin-operations'
import { platformOperations } from '@augury/wire/platform/operations'
import type { Answered } from './browser.ts'

const operations: Operation[] = Object.values({ ...platformOperations, ...adminOperations })
const routes = operations
  // Those with a path of their own first, as they are served.
  .sort((one, other) => Number(one.path.includes('{')) - Number(other.path.includes('{')))
  .map((operation) => ({ operation, path: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

/** What any operation may be refused with, as the document says of each. */
const anywhere: ReadonlySet<string> = new Set(['service_unavailable'])

/** Whatever a test asks for on its way: an answer or a refusal that the document of the site does not describe fails it. */
export function requireDocumented(method: string, target: string, { status, body }: Pick<Answered, 'status' | 'body'>): void {
  const path = target.split('?')[0]!
  const route = routes.find(({ operation, path: pattern }) => operation.method === method && pattern.test(path))
  if (!route) return
  const { operation } = route
  const own = operation.answers?.[status]
  if (own?.safeParse(body).success) return
  if (status >= 400) {
    const { error: _, code: __, details: ___, ...extras } = body
    const also = path.startsWith('/admin/api/') ? refusedAction : operation.refusalExtras
    if (also ? !also.strict().safeParse(extras).success : Object.keys(extras).length > 0)
      throw new Error(`${method} ${path} is not documented to add ${JSON.stringify(extras)} to ${body.code}`)
    if (!anywhere.has(body.code) && !refusalCodesOf(operation).has(body.code))
      throw new Error(`${method} ${path} is not documented to refuse ${body.code}`)
    return
  }
  const read = operation.output.safeParse(body)
  if (!read.success) throw new Error(`${method} ${path} answered ${JSON.stringify(body).slice(0, 500)}: ${read.error.message}`)
  if (!isDeepStrictEqual(read.data, body))
    throw new Error(`${method} ${path} answers more than is documented: ${JSON.stringify(body).slice(0, 500)}`)
}
