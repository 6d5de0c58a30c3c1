import { platformOpenApi } from '@augury/wire/documents/platform'
import { venueOpenApi } from '@augury/wire/documents/venue'
import { platformOperations } from '@augury/wire/platform/operations'
import type { SampleCall } from '#lib/docs/code-samples.ts'

/** A parameter of an operation, or a field of its body. */
export interface Parameter {
  name: string
  place: string
  required: boolean
  type: string
  /** What it means; may be empty. */
  text: string
}

/** An operation for the API reference, made from the OpenAPI documents. */
export interface Reference {
  service: 'exchange' | 'site'
  /** Last part of its page's path: the name, or that with its service where both have an operation of this name. */
  slug: string
  section: string
  /** Path with parameters in braces. */
  path: string
  summary: string
  repeatable: boolean
  /** Whether a session is taken, but not needed. */
  optional: boolean
  parameters: Parameter[]
  /** Formatted JSON; null if there is no body. */
  body: string | null
  answer: string | null
  /** Refusals of the document, by status. */
  refusals: { status: string; code: string; text: string }[]
  call: SampleCall
}

interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
}
type Schemas = Record<string, Schema>
interface Documented {
  operationId: string
  tags: string[]
  summary: string
  'x-repeatable'?: boolean
  security?: Record<string, unknown>[]
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema; example?: unknown }[]
  requestBody?: { content: { 'application/json': { example?: unknown; schema: Schema } } }
  responses: Record<string, { description: string; content?: Record<string, { example?: unknown }> }>
}

/** Equivalent commands of the command line, by operation. */
const CLI: Readonly<Record<string, string>> = {
  listSamplingMarkets: 'augury markets',
  getOrderbook: 'augury book MARKET --watch',
  listTrades: 'augury trades',
  placeOrder: 'augury order buy MARKET yes --price 0.42 --size 100',
  cancelOrderById: 'augury cancel ORDER',
  cancelAll: 'augury cancel --all',
  listOrders: 'augury orders',
  listPositions: 'augury portfolio',
  faucet: 'augury faucet 1000',
  createKey: 'augury login',
  deleteKey: 'augury logout',
  getStatus: 'augury status',
}

const made = new Map<string, Reference[]>()

/** Every operation of the exchange and of the site, with their URLs, in the order of the documents. Cached. */
export function apiReference({ publicClobUrl, origin, mode }: { publicClobUrl: string; origin: string; mode: string }): Reference[] {
  const key = `${publicClobUrl} ${origin} ${mode}`
  const cached = made.get(key)
  if (cached) return cached
  const exchange = venueOpenApi({ url: publicClobUrl, sandbox: mode === 'sandbox' })
  const ofExchange = read(exchange, 'exchange', publicClobUrl)
  const names = new Set(ofExchange.map(({ slug }) => slug))
  const ofSite = read(platformOpenApi({ url: origin }), 'site', origin)
  const all = [...ofExchange, ...ofSite.map((each) => (names.has(each.slug) ? { ...each, slug: `site-${each.slug}` } : each))]
  made.set(key, all)
  return all
}

function read(document: unknown, service: Reference['service'], url: string): Reference[] {
  const { paths, components } = document as { paths: Record<string, Record<string, Documented>>; components: { schemas: Schemas } }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => {
      const body = documented.requestBody?.content['application/json'].schema
      const fields = body ? describedFields(body, components.schemas) : []
      return reference(documented, fields, method.toUpperCase(), path, service, url)
    }),
  )
}

/** The fields of a body, or of the first form that it may have, which do not speak for themselves. */
function describedFields({ $ref, ...inline }: Schema, schemas: Schemas): Parameter[] {
  const { properties = {}, required = [], anyOf } = $ref ? schemas[$ref.split('/').at(-1)!]! : inline
  if (anyOf) return describedFields(anyOf[0]!, schemas)
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.description ? [{ name, place: 'body', required: required.includes(name), type: typeOf(schema), text: schema.description }] : [],
  )
}

function reference(
  documented: Documented,
  fields: Parameter[],
  method: string,
  path: string,
  service: Reference['service'],
  url: string,
): Reference {
  const { operationId: name, parameters, requestBody, responses, security = [] } = documented
  const example = requestBody?.content['application/json'].example
  const answers = Object.entries(responses)
  const answer = answers.find(([status]) => status.startsWith('2'))?.[1].content?.['application/json']?.example
  const proof = proofOf(security.flatMap(Object.keys))
  const hasMethod = proof !== 'wallet' && (service === 'exchange' || Object.hasOwn(platformOperations, name))
  const parametersIn = (place: string) =>
    parameters.filter((each) => each.in === place && each.example !== undefined).map((each) => [each.name, each.example] as const)
  const values = new Map(parametersIn('path').map(([key, value]) => [key, String(value)]))
  const query = parametersIn('query')
  const input = {
    ...(values.size > 0 && { params: Object.fromEntries(parametersIn('path')) }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(example !== undefined && { body: example }),
  }
  return {
    service,
    slug: name,
    section: documented.tags[0] ?? '',
    path,
    summary: documented.summary,
    repeatable: documented['x-repeatable'] ?? false,
    optional: security.some((schemes) => Object.keys(schemes).length === 0),
    parameters: [
      ...parameters.map(({ in: place, schema, description: text = '', name, required }) => {
        return { name, place, required, type: typeOf(schema), text }
      }),
      ...fields,
    ],
    body: example === undefined ? null : JSON.stringify(example, null, 2),
    answer: answer === undefined ? null : JSON.stringify(answer, null, 2),
    refusals: answers
      .filter(([status]) => status.startsWith('4') || status.startsWith('5'))
      .flatMap(([status, { description }]) =>
        [...description.matchAll(/`(\w+)`: (.*)/g)].map(([, code, text]) => ({ status, code: code!, text: text! })),
      ),
    call: {
      name,
      method,
      path: path.replace(/\{(\w+)\}/g, (whole, key: string) => (values.has(key) ? encodeURIComponent(values.get(key)!) : whole)),
      query: new URLSearchParams(query.flatMap(([key, value]) => [value].flat().map((each) => [key, String(each)]))).toString(),
      body: example === undefined ? null : JSON.stringify(example),
      proof,
      client: hasMethod ? service : null,
      url,
      input,
      cli: service === 'exchange' ? (CLI[name] ?? null) : null,
    },
  }
}

const typeOf = ({ type, enum: choices, anyOf }: Schema): string =>
  choices ? choices.map(String).join(' | ') : (type ?? [...new Set((anyOf ?? []).map(typeOf))].join(' | '))

/** The authentication of a call, from the names of its security schemes. */
function proofOf(schemes: readonly string[]): SampleCall['proof'] {
  if (schemes.includes('SVC_API_KEY')) return 'key'
  if (schemes.includes('SVC_NONCE')) return 'wallet'
  if (schemes.includes('scheduler')) return 'scheduler'
  return schemes.includes('bearer') ? 'session' : 'none'
}
