import asyncApiSpecs from '@asyncapi/specs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { BATCH, messageName, optionsOf } from '../src/documents/asyncapi.ts'
import { adminExamples } from '../src/documents/examples/admin.ts'
import { platformExamples } from '../src/documents/examples/platform.ts'
import { streamExamples } from '../src/documents/examples/streams.ts'
import { venueExamples } from '../src/documents/examples/venue.ts'
import type { Json } from '../src/documents/json-schema.ts'
import { platformOpenApi } from '../src/documents/platform.ts'
import { venueStreams } from '../src/documents/streams.ts'
import { venueAsyncApi, venueOpenApi } from '../src/documents/venue.ts'
import type { Operation } from '../src/operation.ts'
import { venueOperations } from '../src/operations/venue.ts'
import { adminOperations } from '../src/platform/admin-operations.ts'
import { platformOperations } from '../src/platform/operations.ts'

const url = 'https://clob.example.org'
// biome-ignore lint/suspicious/noExplicitAny: documents have no type
type Document = any

const tables: [string, Document, Record<string, Operation>, typeof venueExamples][] = [
  ['the exchange', venueOpenApi({ url, sandbox: true }), venueOperations, venueExamples],
  ['a deployment', platformOpenApi({ url }), { ...platformOperations, ...adminOperations }, { ...platformExamples, ...adminExamples }],
]

describe.each(tables)('the document of %s', (_, document, operations, examples) => {
  test('is OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  test('has every route of the table and no other', () => {
    const written = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]: [string, Document]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    )
    expect(written.sort()).toEqual(
      Object.entries(operations)
        .map(([name, { method, path }]) => `${name}: ${method} ${path}`)
        .sort(),
    )
  })

  test.each(Object.entries(operations))('%s is described with its input, output and refusals', (_, operation) => {
    const described = document.paths[operation.path][operation.method.toLowerCase()]
    expect(described.requestBody === undefined).toBe(operation.body === undefined)
    const texts = JSON.stringify(described.responses)
    for (const code of operation.refusals) expect(texts).toContain(`\`${code}\``)
    expect(described.security.length > 0).toBe(operation.auth !== 'public')
  })

  const given = Object.entries(examples).flatMap(([name, example]) => (example ? [[name, example] as const] : []))

  test('operations with required parameters or a body have an example', () => {
    const missing = Object.entries(operations).filter(([name, { params, query, body, refusals }]) => {
      const example = examples[name] ?? {}
      // A query whose keys are all optional, but which is refused when empty.
      const refused = !params && refusals.some((code) => /^missing_(market|condition_id)$/.test(code))
      return (
        (params && !example.params) ||
        (query && !example.query && (refused || !query.safeParse({}).success)) ||
        (body && example.body === undefined && !body.safeParse(undefined).success)
      )
    })
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test.each(given)('the example of %s is valid input and output', (name, example) => {
    const operation = operations[name]!
    for (const part of ['params', 'query', 'body'] as const) {
      if (example[part] !== undefined) operation[part]!.parse(example[part])
    }
    if (example.output !== undefined) operation.output.parse(example.output)
  })

  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })

  test.each(given)('the example of %s fits the schemas of the document', (name, example) => {
    const operation = operations[name]!
    const described = document.paths[operation.path][operation.method.toLowerCase()]
    const fits = (schema: Json, value: unknown) => {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
      expect([ajv.validate(local, value), ajv.errors]).toEqual([true, null])
    }
    if (example.body !== undefined) fits(described.requestBody.content['application/json'].schema, example.body)
    if (example.output !== undefined) fits(described.responses[200].content['application/json'].schema, example.output)
    for (const parameter of described.parameters) if (parameter.example !== undefined) fits(parameter.schema, parameter.example)
  })
})

test.each(Object.entries<Operation>(venueOperations).filter(([, { auth }]) => auth !== 'public'))(
  'the document says with which codes %s refuses who asks a standby, or for what is unknown',
  (_, { path, method }) => {
    const { responses } = tables[0]![1].paths[path][method.toLowerCase()]
    expect(responses[503].description).toContain('`standby`')
    expect(responses[400].description).toContain('`invalid_payload`')
  },
)

test('what is counted says in its headers what is left', () => {
  const headersOf = ([, document]: (typeof tables)[0], path: string, method: string, status: number) =>
    Object.keys(document.paths[path][method].responses[status].headers).filter((name) => name.startsWith('RateLimit'))
  const names = ['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  const [exchange, site] = tables as [(typeof tables)[0], (typeof tables)[0]]
  for (const [table, path, method, status, told] of [
    [exchange, '/books', 'post', 200, names],
    [exchange, '/order', 'delete', 429, names],
    [exchange, '/book', 'get', 200, []],
    [site, '/api/users', 'get', 429, names],
    [site, '/api/users', 'get', 200, []], // a site only tells who has nothing left
  ] as const)
    expect(headersOf(table, path, method, status), path).toEqual(told)
  for (const [, document] of tables) for (const name of names) expect(document.components.headers).toHaveProperty([name])
})

test('what a refusal tells beside its code is described', () => {
  const [[, exchange], [, site]] = tables as [(typeof tables)[0], (typeof tables)[0]]
  const refused = (document: Document, path: string, method: string, status: number, body: object) => {
    const { schema } = document.paths[path][method].responses[status].content['application/json']
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components })
    const keys = (schema.allOf as Json[]).flatMap((each) => Object.keys(each.properties ?? {}))
    const fits = ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')), body)
    return [fits, Object.keys(body).filter((key) => !['error', 'code', ...keys].includes(key))]
  }
  const cancel = {
    error: 'Order is already filled or cancelled',
    code: 'order_ended',
    canceled: [],
    not_canceled: { x: 'y' },
    state: 'filled',
  }
  expect(refused(exchange, '/order', 'delete', 409, cancel)).toEqual([true, []])
  expect(refused(exchange, '/order', 'delete', 409, { ...cancel, state: 'gone' })).toEqual([false, []])
  const place = { error: 'x', code: 'size_too_small', orderID: '0x12', orderId: '0x12' }
  for (const [document, path] of [
    [exchange, '/order'],
    [site, '/api/orders'],
  ] as const)
    expect(refused(document, path, 'post', 400, place)).toEqual([true, []])
  expect(refused(exchange, '/v1/heartbeats', 'post', 400, { error: 'x', code: 'stale_heartbeat', heartbeat_id: 'x' })).toEqual([true, []])
  const admin = { error: 'Unauthenticated.', code: 'unauthenticated', success: false }
  expect(refused(site, '/admin/api/users', 'get', 401, admin)).toEqual([true, []])
  for (const wrong of [
    { ...admin, success: true },
    { error: admin.error, code: admin.code },
  ])
    expect(refused(site, '/admin/api/users', 'get', 401, wrong)[0]).toBe(false)
})

test('the document says how many rows a page may have, and what it is without one', () => {
  const { parameters } = tables[0]![1].paths['/trades'].get
  expect(parameters.find(({ name }: Json) => name === 'limit')).toMatchObject({
    name: 'limit',
    in: 'query',
    required: false,
    description: 'Rows of a page: from 1 to 500; without it 100.',
    schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  })
})

test('the document of the site says what every parameter of a query means', () => {
  const { paths }: Document = platformOpenApi({ url })
  for (const [name, { method, path }] of Object.entries<Operation>({ ...platformOperations, ...adminOperations }))
    for (const each of paths[path][method.toLowerCase()].parameters)
      if (each.in === 'query') expect(each.description, `${name} ${each.name}`).toMatch(/^[A-Z`].*\.$/)
})

test.each(tables)('any operation of %s may find that its database is away, and the document says so', (whose, { paths }, operations) => {
  const status = whose === tables[0]![0] ? 503 : 500 // the law knows no 503 of a site
  for (const [name, { method, path }] of Object.entries(operations))
    expect(paths[path][method.toLowerCase()].responses[status].description, name).toContain('`service_unavailable`')
})

test.each(tables)('the document of %s says that a name in a path may be none, and a body too long', (_, { paths }, operations) => {
  for (const [name, { method, path, params }] of Object.entries(operations)) {
    const { responses } = paths[path][method.toLowerCase()]
    if (params) expect(responses[404].description, name).toContain('`not_found`')
    expect(responses[413] !== undefined, name).toBe(method !== 'GET')
  }
})

test('the document lists the words of a query, and says where lists may be too long', () => {
  const document = tables[0]![1]
  const queryOf = (path: string, key: string) => document.paths[path].get.parameters.find(({ name }: Json) => name === key)
  expect(queryOf('/price', 'side').schema).toEqual({ type: 'string', enum: ['BUY', 'SELL'] })
  expect(queryOf('/positions', 'sortDirection').schema).toEqual({ type: 'string', enum: ['ASC', 'DESC'], default: 'DESC' })
  expect(queryOf('/activity', 'type').description).toContain('TRADE, SPLIT')
  const list = (items: Json) => ({ anyOf: [{ type: 'string' }, { type: 'array', items }] })
  expect(queryOf('/activity', 'type').schema).toMatchObject(list({ enum: expect.arrayContaining(['TRADE', 'SPLIT']) }))
  expect(queryOf('/prices', 'sides').schema).toEqual(list({ type: 'string', enum: ['BUY', 'SELL'] }))
  expect(queryOf('/trades', 'market').schema).toEqual(list({ type: 'string', pattern: '^0[xX][0-9a-fA-F]{64}$' }))
  for (const key of ['order', 'slug']) expect(queryOf('/gamma/events', key).schema).toEqual(list({ type: 'string' }))
  for (const path of ['/activity', '/holders']) expect(document.paths[path].get.responses[400].description).toContain('`too_many_items`')
  expect(document.paths['/price'].get.responses[400].description).not.toContain('`too_many_items`')
})

test('a venue outside sandbox mode has no faucet', () => {
  expect(venueOpenApi({ url, sandbox: false }).paths).not.toHaveProperty('/sandbox/faucet')
})

describe('the document of the streams', () => {
  const document: Document = venueAsyncApi({ url })

  test('is AsyncAPI 3.0', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    const schema = (asyncApiSpecs as unknown as { schemasWithoutId: Record<string, Json> }).schemasWithoutId['3.0.0']!
    expect([ajv.validate(schema, document), ajv.errors]).toEqual([true, null])
    expect(document.servers.exchange).toEqual({ host: 'clob.example.org', protocol: 'wss' })
  })

  test.each(Object.entries(venueStreams))(
    'has every message of the stream %s',
    (name, { path, serverMessages, clientMessages, texts = {}, isBatched }) => {
      const names = [...optionsOf(serverMessages), ...optionsOf(clientMessages)].map(messageName)
      const others = [...Object.keys(texts), ...(isBatched ? [BATCH] : []), 'PING', 'PONG']
      expect(Object.keys(document.channels[name].messages).sort()).toEqual([...names, ...others].sort())
      expect(document.channels[name].address).toBe(path)
    },
  )

  test.each(['compatMarket', 'compatUser'])('%s answers an invalid request by a text frame', (name) => {
    const { INVALID_OPERATION: refused } = document.channels[name].messages
    expect(refused).toMatchObject({ contentType: 'text/plain', payload: { const: 'INVALID OPERATION' } })
    expect(document.operations[`${name}Says`].messages).toContainEqual({ $ref: `#/channels/${name}/messages/INVALID_OPERATION` })
  })

  const said = (channel: string) =>
    document.operations[`${channel}Says`].messages.map(({ $ref }: { $ref: string }) => $ref.split('/').at(-1)) as string[]

  test('a frame may be a list of messages where its stream sends lists, and nowhere else', () => {
    const channels = Object.keys(venueStreams).filter((name) => said(name).includes(BATCH))
    expect(channels).toEqual(['market', 'user', 'compatMarket'])
    const { payload } = document.channels.market.messages[BATCH]
    const local = JSON.parse(JSON.stringify(payload).replaceAll('"#/components', '"document#/components'))
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components })
    const { book, price_change } = streamExamples.market as Record<string, object>
    for (const [list, fits] of [
      [[book, price_change], true],
      [[{ event_type: 'book' }], false],
      [book, false],
    ])
      expect(ajv.validate(local, list)).toBe(fits)
  })

  test('both sides of a subscription ask whether the other is there', () => {
    expect(said('subscriptions')).toEqual(expect.arrayContaining(['PING', 'PONG']))
    for (const text of ['PING', 'PONG'])
      expect(document.operations.subscriptionsHears.messages).toContainEqual({ $ref: `#/channels/subscriptions/messages/${text}` })
    expect(said('user')).not.toContain('PING')
  })

  const given = Object.entries(streamExamples).flatMap(([stream, messages]) =>
    Object.entries(messages).map(([name, message]) => [stream, name, message] as const),
  )

  test.each(given)('the example of %s %s is a valid message', (stream, name, message) => {
    const { serverMessages, clientMessages } = venueStreams[stream]!
    const option = [...optionsOf(serverMessages), ...optionsOf(clientMessages)].find((one) => messageName(one) === name)!
    option.parse(message)
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components })
    const { payload } = document.channels[stream].messages[name]
    const local = JSON.parse(JSON.stringify(payload).replaceAll('"#/components', '"document#/components'))
    expect([ajv.validate(local, message), ajv.errors]).toEqual([true, null])
  })
})
