import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { prng } from '@augury/testing/prng'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrongWithFrame } from '../src/frames.ts'
import { fuzz } from '../src/fuzz.ts'
import { nextCase, nextFrame } from '../src/inputs.ts'
import { visitor } from '../src/people.ts'
import { type Route, routesOf } from '../src/routes.ts'

// A service that answers badly on purpose: what the attacks look for, they must see.
const server = createServer((request, response) => {
  const path = request.url!.split('?')[0]!
  const refuse = (status: number, type: string, text: string) =>
    response.writeHead(status, { 'content-type': type, 'x-request-id': '1' }).end(text)
  if (path === '/openapi.json') response.end(JSON.stringify(document))
  else if (path === '/fails') refuse(500, 'application/json', '{"error":"oh","code":"internal_error"}')
  else if (path === '/tells') refuse(400, 'application/json', '{"error":"at Object.parse (/apps/web/x.ts:1)","code":"bad_request"}')
  else if (path === '/model')
    refuse(502, 'application/json; charset=utf-8', '{"error":"No model","code":"model_failed","details":{"reason":"connect ECONNREFUSED"}}')
  else if (path === '/page') refuse(400, 'text/html', '<p>no</p>')
  else if (path === '/silent') request.socket.destroy()
  else if (path === '/mute') refuse(400, 'application/json', '{"error":"Invalid payload","code":"invalid_payload"}')
  else refuse(400, 'application/json; charset=utf-8', '{"error":"Invalid payload","code":"invalid_payload"}')
})
const body = { type: 'object', required: ['price'], properties: { price: { $ref: '#/components/schemas/Price' } } }
const paths = ['/fails', '/tells', '/page', '/silent', '/mute', '/model', '/well/{id}'].map((path) => [
  path,
  {
    post: {
      parameters: path.includes('{') ? [{ name: 'id', in: 'path', schema: { type: 'string' } }] : [],
      requestBody: { content: { 'application/json': { schema: body } } },
    },
  },
])
const document = { paths: Object.fromEntries(paths), components: { schemas: { Price: { enum: ['0.5'] } } } }

let routes: Route[]
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  routes = await routesOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(() => void server.close())

test.each([
  ['/fails', /^a failure of ours/],
  ['/tells', /^our insides/],
  ['/page', /^a refusal that is not JSON/],
  ['/silent', /^no answer/],
  ['/mute', /^a text that does not say/],
])('what is wrong at %s is seen in every answer', async (path, sentence) => {
  const { wrong } = await fuzz(routes.find((route) => route.path === path)!, [visitor], 20, 1)
  expect(wrong).toHaveLength(20)
  for (const each of wrong) expect(each).toMatch(sentence)
})

test('nothing is said against a route that refuses well', async () => {
  expect(await fuzz(routes.find(({ path }) => path.startsWith('/well'))!, [visitor], 50, 1)).toMatchObject({ cases: 50, wrong: [] })
})

test.each([
  ['{"id":1,"status":500,"body":{"error":"oh","code":"internal_error"}}', 'a failure of ours'],
  ['{"id":1,"status":400,"body":{"error":"at Object.parse (/apps/web/x.ts:1)","code":"bad_request"}}', 'our insides'],
  ['{"id":1,"status":400,"body":{"error":"no"}}', 'a refusal without its text and code'],
  ['{"id":1}', 'a failure of ours'],
  [1011, 'closed with 1011'],
  [4002, null],
  ['{"id":1,"status":503,"body":{"error":"no","code":"overloaded"}}', null],
  ['{"id":1,"status":200,"body":{}}', null],
])('what is said to a frame, %j, is judged', (said, wrong) => {
  expect(wrongWithFrame(said)).toBe(wrong)
})

test('frames of a seed are honest in the main, and hostile now and then', () => {
  const schema = { type: 'object', required: ['id', 'op'], properties: { id: { type: 'integer' }, op: { const: 'cancel-all' } } }
  const texts = (rng: ReturnType<typeof prng>) => Array.from({ length: 200 }, (_, id) => nextFrame(schema, id, rng))
  const some = texts(prng(7))
  expect(some).toEqual(texts(prng(7)))
  const honest = some.filter((text, id) => text === JSON.stringify({ id, op: 'cancel-all' })).length
  expect([honest > 80, honest < 130]).toEqual([true, true])
})

test('a model that does not answer is no failure of ours', async () => {
  const route = routes.find(({ path }) => path === '/model')!
  expect(await fuzz(route, [visitor], 20, 1)).toMatchObject({ classes: new Map([[5, 20]]), wrong: [] })
})

test('what is asked does not hang on how many are asked at a time', async () => {
  const asked = async (lanes: number) => {
    const targets: string[] = []
    const headers = async ({ target }: { target: string }) => {
      targets.push(target)
      return {}
    }
    const person = { name: 'a person', headers, comeBack: async () => {} }
    await fuzz(routes.find(({ path }) => path.startsWith('/well'))!, [person], 40, 5, lanes)
    return targets
  }
  const one = await asked(1)
  expect(new Set(one).size).toBeGreaterThan(5)
  expect(await asked(7)).toEqual(one)
})

test('a seed repeats its requests, some honest, some not, and each an address that HTTP carries', () => {
  const route = routes.find(({ path }) => path.startsWith('/well'))!
  const [one, two] = [prng(7), prng(7)]
  const cases = Array.from({ length: 300 }, () => nextCase(route, one))
  expect(cases).toEqual(Array.from({ length: 300 }, () => nextCase(route, two)))
  expect(cases.filter((each) => each.body === '{"price":"0.5"}').length).toBeGreaterThan(100)
  expect(cases.filter((each) => each.body !== '{"price":"0.5"}').length).toBeGreaterThan(30)
  for (const { target } of cases) expect(target).toMatch(/^\/well\/[!-~]+$/)
})
