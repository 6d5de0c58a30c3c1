import { conditionId, questionId } from '@augury/signing/ids'
import { ServiceError } from '@augury/wire/service-error'
import { expect, test } from 'vitest'
import { platformApp } from '../src/platform.ts'
import { Browser, walletOf } from './browser.ts'
import { three } from './creation.ts'
import { tradingSite } from './exchange.ts'

const at = await tradingSite()
const { operator, operatorAddress } = at.site.exchange
const { exchange } = await operator()
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(6100).address.toLowerCase()])

/** What becomes of the next registrations: answered, stored without an answer, or never sent. */
let fates: ('answered' | 'lost' | 'unsent')[] = []
/** What happens before the next answer is taken. */
let meanwhile = async () => {}
const failing = Object.assign(Object.create(exchange), {
  async registerCondition(input: Parameters<typeof exchange.registerCondition>[0]) {
    const fate = fates.shift()
    if (fate === 'unsent') throw new ServiceError('service_unavailable')
    const answer = await exchange.registerCondition(input)
    const happens = meanwhile
    meanwhile = async () => {}
    await happens()
    if (fate === 'lost') throw new ServiceError('service_unavailable')
    return answer
  },
})
const site = { ...at.site, exchange: { ...at.site.exchange, operator: async () => ({ address: operatorAddress, exchange: failing }) } }
const admin = new Browser({ ...at, app: platformApp({ site, onBug: (error) => void at.bugs.push(error) }) })
await admin.signIn(walletOf(6100))

/** Publishes an event of three markets with these fates, and returns its draft and its id. */
async function interrupted(slug: string, ...told: typeof fates) {
  fates = told
  const { id } = (await admin.post('/admin/api/drafts', { content: three(slug, 'several') })).body.data
  const publish = () => admin.post(`/admin/api/drafts/${id}/publish`)
  expect((await publish()).status).toBe(500)
  fates = []
  const [row] = await at.rows('select id from event where slug = ?', [slug])
  return { publish, event: String(row!.id) }
}
const there = async (slug: string) =>
  (await fetch(`${at.clobUrl}/markets/${conditionId(operatorAddress, questionId(operatorAddress, slug))}`)).json()

test('a market whose registration got no answer has the texts that were written since', async () => {
  const { publish, event } = await interrupted('lost-texts', 'answered', 'lost', 'unsent')
  const rules = 'This resolves to Yes if anybody has seen rain in that city on that day, by the page of the city, at 12:00 UTC.'
  expect((await admin.call('PATCH', `/admin/api/events/${event}`, { rules })).status).toBe(200)
  expect((await publish()).body).toMatchObject({ success: true, data: { state: 'published', registered: 3 } })
  for (const city of ['rome', 'oslo', 'bern']) expect(await there(`lost-texts-${city}`)).toMatchObject({ rules, mode: 'open' })
})

test('a question that is there with other outcomes is not taken for the same', async () => {
  await exchange.registerCondition({
    body: {
      ...{ question_slug: 'other-rome', outcomes: ['Rain', 'Sun'], tick_size: '0.01', min_size: '5', fee_rate_bps: 0 },
      end_time: '2026-12-24T12:00:00Z',
      metadata: {
        ...{ question: 'Rain?', short_title: '', description: '', rules: '', resolution_source: '', resolution_source_url: '', icon: '' },
        event: { slug: 'other', title: 'Other', icon: '', tags: [], rules: '', start_date: null, end_date: null },
      },
    },
  })
  const { id } = (await admin.post('/admin/api/drafts', { content: three('other', 'several') })).body.data
  expect(await admin.post(`/admin/api/drafts/${id}/publish`)).toMatchObject({ status: 409, body: { code: 'condition_exists' } })
  expect(await there('other-rome')).toMatchObject({ question: 'Rain?' })
})

test.each(['before', 'meanwhile'])('what is registered for an event that was paused %s is not open, and opens with it', async (when) => {
  const slug = `paused-${when}`
  const { publish, event } = await interrupted(slug, 'answered', 'lost', 'unsent')
  const turn = (how: 'pause' | 'resume') => admin.post(`/admin/api/events/${event}/${how}`)
  const open = async () => [
    ...(await Promise.all(['rome', 'oslo', 'bern'].map(async (city) => (await there(`${slug}-${city}`)).mode === 'open'))),
    (await at.rows('select bool_or(is_active) as open from market where event_id = ?', [event]))[0]!.open,
  ]
  const pause = async () => expect((await turn('pause')).status).toBe(200)
  if (when === 'before') await pause()
  else meanwhile = pause
  expect((await publish()).body).toMatchObject({ data: { state: 'published', registered: 3 } })
  expect(await open()).toEqual([false, false, false, false])
  expect((await turn('resume')).status).toBe(200)
  expect(await open()).toEqual([true, true, true, true])
  expect(at.bugs).toEqual([])
})
