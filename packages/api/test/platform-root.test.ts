import { deploymentOperations } from '@augury/platform/operations'
import type { Site } from '@augury/platform/site/site'
import { expect, test } from 'vitest'
import { testSite } from '../../platform/test/test-site.ts'
import { platformRoot, servePlatformRoot } from '../src/platform-root.ts'

const { site } = await testSite({ mode: 'sandbox' })

const bugs: unknown[] = []
const ask = async (name: string, input?: unknown, from: Site = site) => {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  const response = await servePlatformRoot(
    from,
    new Request(`https://site.test/trpc/${name}${query}`),
    { clientAddress: '127.0.0.1' },
    (error) => void bugs.push(error),
  )
  return [response.status, await response.json()] as const
}

test('every operation of the deployment has a procedure', () => {
  expect(Object.keys(platformRoot._def.procedures).sort()).toEqual(
    [...Object.keys(deploymentOperations), 'onNotification', 'onOrders'].sort(),
  )
})

test('a call without input uses the defaults of its schema', async () => {
  expect(await ask('listEvents')).toEqual([200, { result: { data: [] } }])
  expect(await ask('mainTags')).toEqual([200, { result: { data: [] } }])
})

test.each([
  ['listEvents', { query: { status: 'open' } }, 400, 'Invalid status filter.', 'invalid_status_filter'],
  ['eventBySlug', { query: { slug: 'nothing' } }, 404, 'Event not found.', 'event_not_found'],
  ['marketMetadata', { params: { slug: 'nothing' } }, 400, 'Missing conditionId.', 'missing_condition_id'],
  ['chanceLines', { query: { slug: 'nothing', range: '1y' } }, 400, 'Invalid payload', 'invalid_payload'],
  ['relatedEvents', { params: { slug: 'a\0b' } }, 400, 'Invalid payload: not a text', 'invalid_payload'],
  ['relatedEvents', { params: { slug: 'a' }, query: { tag: '\ud800' } }, 400, 'Invalid payload: not a text', 'invalid_payload'],
])('%s with %o is refused as over REST', async (name, input, status, error, code) => {
  expect(await ask(name, input)).toMatchObject([status, { error: { message: error, data: { refusal: { error, code } } } }])
})

test('a bug is reported to us and not to the caller', async () => {
  const broken = {
    ...site,
    em: () => {
      throw new Error('secret of the house')
    },
  }
  const [status, body] = await ask('eventBySlug', { query: { slug: 'nothing' } }, broken)
  expect([status, JSON.stringify(body).includes('secret')]).toEqual([500, false])
  expect(bugs).toEqual([new Error('secret of the house')])
})
