import { z } from 'zod'
import { errorBody } from '../error-body.ts'
import type { Operation, Schema } from '../operation.ts'
import { isSigned, querySchema } from '../query.ts'
import { type RefusalCode, refusals } from '../refusals.ts'
import type { Examples } from './example.ts'
import { identityRefusals, securityOf, securitySchemes } from './identity.ts'
import { Components, type Json } from './json-schema.ts'

/** Input of `openApiDocument`. */
export interface Described {
  title: string
  /** Markdown: what callers should know first. */
  description: string
  /** Base URL of the operations. */
  url: string
  /** Every operation, by name. */
  operations: Readonly<Record<string, Operation>>
  /** The operations grouped by heading. */
  sections: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  examples: Examples
  /** Refusals that every operation may answer. */
  always?: readonly RefusalCode[]
  /** Statuses of refusals that differ from those of the list. */
  statuses?: Partial<Record<RefusalCode, number>>
  named: Readonly<Record<string, Schema>>
  readAs?: ReadonlyMap<Schema, Schema>
}

/** Version of the documents. Constant, as changes only ever add. */
export const DOCUMENT_VERSION = '1.0.0'

/** Query keys of established clients that signed routes accept and ignore. */
const IGNORED = new Set(['signature_type', 'geo_block_token'])

/** The table of operations as an OpenAPI 3.1 document. */
export function openApiDocument(described: Described): Json {
  const { title, description, url, operations, sections, examples, always = [], statuses = {}, named, readAs } = described
  const components = new Components({ named: { ...named, Refusal: errorBody }, target: 'draft-2020-12', ...(readAs ? { readAs } : {}) })
  const paths: Record<string, Json> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const section = Object.keys(sections).find((heading) => Object.hasOwn(sections[heading]!, name)) ?? 'More'
    const described = {
      operationId: name,
      tags: [section],
      ...describe({ ...operation, refusals: [...operation.refusals, ...always] }, examples[name], components, statuses),
    }
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described }
  }
  const used = new Set(Object.values(operations).flatMap((operation) => securityOf(operation).flatMap(Object.keys)))
  return {
    openapi: '3.1.1',
    info: { title, version: DOCUMENT_VERSION, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url }],
    tags: Object.keys(sections).map((heading) => ({ name: heading })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
      headers: {
        'X-Request-Id': { description: 'Names this request in the logs of the service.', schema: { type: 'string', format: 'uuid' } },
        'Retry-After': { description: 'Seconds until a retry makes sense.', schema: { type: 'integer' } },
        ...budgetDescriptions,
      },
    },
  }
}

/** Of answers that a budget counted; the last three for clients that know no structured fields. */
const budgetDescriptions: Readonly<Record<string, Json>> = {
  RateLimit: { description: 'What is left of the budget, and for how many seconds: `"cancel";r=99;t=58`.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The budget: so many in so many seconds: `"cancel";q=100;w=60`.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'How many the budget has.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until there are more.', schema: { type: 'integer' } },
}

function describe(operation: Operation, example: Examples[string], components: Components, statuses: Described['statuses']): Json {
  const { summary, body, output, sandbox, repeatable } = operation
  return {
    summary,
    ...(sandbox ? { description: 'In sandbox mode only.' } : {}),
    'x-repeatable': repeatable,
    security: securityOf(operation),
    parameters: [...parameters('path', operation.params, example?.params, components), ...queryOf(operation, example, components)],
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: json(components.write(body, 'input'), example?.body),
          },
        }
      : {}),
    responses: {
      200: { description: 'Done.', headers: headers(200, operation), content: json(components.write(output, 'output'), example?.output) },
      ...withOwn(refusalsOf(operation, components, statuses), operation, components),
    },
  }
}

/** Adds the outputs with a status of their own to the refusals, which may have the same status. */
function withOwn(refused: Record<string, Json>, operation: Operation, components: Components): Json {
  const own = Object.entries(operation.answers ?? {}).map(([status, schema]) => {
    const shape = components.write(schema, 'output')
    const other = refused[status]
    if (!other)
      return [
        status,
        { description: 'An answer of its own.', headers: headers(Number(status), operation), content: json(shape, undefined) },
      ]
    const content = { 'application/json': { schema: { anyOf: [shape, (other.content as Content)['application/json'].schema] } } }
    return [status, { ...other, description: `An answer of its own, or\n\n${other.description}`, content }]
  })
  return { ...refused, ...Object.fromEntries(own) }
}

type Content = { 'application/json': { schema: Json } }

const json = (schema: Json, example: unknown): Json => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})

const queryOf = (operation: Operation, example: Examples[string], components: Components): Json[] =>
  parameters('query', querySchema(operation), example?.query, components).filter(({ name }) => !IGNORED.has(name as string))

function parameters(place: 'path' | 'query', schema: Schema | undefined, example: Json | undefined, components: Components): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = components.write(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, { description, ...value }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: value,
    ...(example?.[name] === undefined ? {} : { example: example[name] }),
  }))
}

/** Whether a part of a request may be, or hold, a list: each has a most. */
const takesList = (schema: Schema | undefined): boolean =>
  schema !== undefined && JSON.stringify(z.toJSONSchema(schema, { io: 'input' })).includes('"type":"array"')

/** The codes an operation may refuse with, including those of the checks that every route has. */
export function refusalCodesOf(operation: Operation): Set<RefusalCode> {
  const { method, params, query, body } = operation
  return new Set([
    ...identityRefusals(operation),
    ...(params || query || body || isSigned(operation) ? (['invalid_payload'] as const) : []), // signed routes refuse unknown query keys
    ...(params ? (['not_found'] as const) : []), // a name that is no text, or that holds a slash
    ...(method === 'GET' ? [] : (['payload_too_large'] as const)), // a body is read also where none is asked for
    ...(body ? (['invalid_json', 'unsupported_media_type'] as const) : []),
    ...(takesList(query) || takesList(body) ? (['too_many_items'] as const) : []),
    ...operation.refusals,
    'internal_error',
  ])
}

/** An operation's refusals, by status. */
function refusalsOf(operation: Operation, components: Components, statuses: Described['statuses']): Record<string, Json> {
  const byStatus = Map.groupBy(refusalCodesOf(operation), (code) => statuses?.[code] ?? refusals[code].status)
  const { refusalExtras } = operation
  const shapes = [components.write(errorBody, 'output'), ...(refusalExtras ? [components.write(refusalExtras, 'output')] : [])]
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      {
        description: named.map((code) => `\`${code}\`: ${refusals[code].text}`).join('\n\n'),
        headers: headers(status, operation),
        content: json({ allOf: [...shapes, { properties: { code: { enum: named } } }] }, undefined),
      },
    ]),
  )
}

function headers(status: number, operation: Operation): Json {
  // A budget of the exchange tells its standing whenever it counts, one of a site when nothing is left.
  const isCounted = status === 429 || (status === 200 && !operation.budget && refusalCodesOf(operation).has('rate_limited'))
  const names = [
    'X-Request-Id',
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(isCounted ? Object.keys(budgetDescriptions) : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
