import { ask } from './ask.ts'

/** The part of JSON Schema that our documents use. */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  example?: unknown
  examples?: unknown[]
  $ref?: string
}

/** A parameter in the path or the query. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: Schema
}

/** A route as described by its service. */
export interface Route {
  origin: string
  method: string
  path: string
  parameters: Parameter[]
  body: Schema | null
}

interface Described {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every route that a running service documents, with references resolved. Throws when it documents none. */
export async function routesOf(origin: string): Promise<Route[]> {
  const { status, text } = await ask(origin, '/openapi.json')
  if (status !== 200) throw new Error(`${origin} does not describe itself: ${status}`)
  const document = JSON.parse(text)
  const resolve = resolverOf(document)
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  return Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, described]) =>
    Object.entries(described)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const content = resolve(operation.requestBody)?.content['application/json']
        return {
          origin,
          method: method.toUpperCase(),
          path,
          parameters: resolve(operation.parameters ?? []),
          body: content?.schema ?? null,
        }
      }),
  )
}

/** Resolves the references in a part of a document. */
export function resolverOf(document: unknown): <Value>(value: Value) => Value {
  const resolve = <Value>(value: Value): Value => {
    if (Array.isArray(value)) return value.map(resolve) as Value
    if (value === null || typeof value !== 'object') return value
    const { $ref } = value as { $ref?: string }
    if ($ref)
      return resolve(
        $ref
          .split('/')
          .slice(1)
          .reduce((at, name) => (at as Record<string, unknown>)[name], document),
      ) as Value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)])) as Value
  }
  return resolve
}
