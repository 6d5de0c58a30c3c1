import { randomUUID } from 'node:crypto'
import { themePresets } from '@augury/wire/platform/theme'
import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { calledDuring, testSite } from './test-site.ts'

const at = await testSite({ adminWallets: [walletOf(9700).address.toLowerCase() as `0x${string}`] })
const admin = new Browser(at)
await admin.signIn(walletOf(9700))
const now = async () => (await admin.get('/admin/api/settings/theme')).body.data
const add = async (name: string, tokens: unknown) => (await admin.post('/admin/api/themes', { name, tokens })).body.data
const publish = (id: string) => admin.post(`/admin/api/themes/${id}/publish`)
const pale = { ...themePresets.paper, light: { ...themePresets.paper.light, text: '#dddddd' } }

test('a site has the default theme until another is published, which then applies everywhere', async () => {
  expect(await now()).toMatchObject({ version: 0, tokens: themePresets.default })
  const { id } = await add('Night', themePresets.midnight)
  expect(await now()).toMatchObject({ version: 0 })
  expect((await publish(id)).body.data).toMatchObject({ version: 1, active: true, name: 'Night' })
  expect(await now()).toMatchObject({ version: 1, name: 'Night', tokens: themePresets.midnight })
  expect((await publish(id)).body.data).toMatchObject({ version: 1 })
  expect(await admin.call('PUT', `/admin/api/themes/${id}`, { name: 'Changed', tokens: pale })).toMatchObject({ status: 404 })
  expect(await admin.call('DELETE', `/admin/api/themes/${id}`)).toMatchObject({ status: 404, body: { code: 'theme_not_found' } })
})

test('a theme with too little contrast stays a draft, and the suggested colours pass', async () => {
  const draft = await add('Pale', pale)
  const refused = await publish(draft.id)
  expect(refused).toMatchObject({ status: 409, body: { success: false, code: 'contrast_too_low' } })
  const [{ colour, nearest }] = refused.body.details.faults
  expect((await admin.post('/admin/api/themes/check', { tokens: pale })).body.data.faults).toEqual(refused.body.details.faults)
  expect(await admin.call('PUT', '/admin/api/settings/theme', { name: 'Pale', tokens: pale })).toMatchObject({ status: 409 })
  expect(await now()).toMatchObject({ name: 'Night' })
  const mended = { ...pale, light: { ...pale.light, [colour]: nearest } }
  expect((await admin.call('PUT', `/admin/api/themes/${draft.id}`, { name: 'Readable', tokens: mended })).status).toBe(200)
  expect((await publish(draft.id)).body.data).toMatchObject({ version: 2, active: true })
})

test('a draft that is being saved is published as it was saved, or not at all', async () => {
  const draft = await add('Clear', themePresets.contrast)
  const spoil: [string, unknown[]] = ['update theme set tokens = ?::jsonb where id = ?', [JSON.stringify(pale), draft.id]]
  expect(await calledDuring(at, spoil, () => publish(draft.id))).toMatchObject({ status: 409, body: { code: 'contrast_too_low' } })
  expect(await now()).toMatchObject({ name: 'Readable' })
})

test('what is asked again, because its answer was lost, is done once', async () => {
  const ref = randomUUID()
  const body = { name: 'Lost', tokens: themePresets.paper, ref }
  const [one, two] = await Promise.all([1, 2].map(() => admin.post('/admin/api/themes', body)))
  expect(one!.body.data).toMatchObject({ id: ref, name: 'Lost', version: null })
  expect(two!.body.data).toEqual(one!.body.data)
  expect((await admin.post('/admin/api/themes', { ...body, name: 'Newer' })).body.data).toEqual(one!.body.data)
  const named = async (name: string) =>
    (await admin.get('/admin/api/themes')).body.data.themes.filter((theme: { name: string }) => theme.name === name)
  expect(await named('Lost')).toHaveLength(1)
  expect((await admin.get('/admin/api/audit-log?action=theme_drafted&limit=100')).body.data.filter(about(ref))).toHaveLength(1)
  const before = { name: 'Readable', tokens: (await now()).tokens }
  for (const _ of [1, 2]) {
    const put = await admin.call('PUT', '/admin/api/settings/theme', { name: 'At once', tokens: themePresets.midnight })
    expect(put.body.data).toMatchObject({ version: 3, active: true })
  }
  expect(await named('At once')).toHaveLength(1)
  const { id } = (await named('Readable'))[0]
  // A draft that was published is saved and published again as it is, and never otherwise.
  expect((await admin.call('PUT', `/admin/api/themes/${id}`, before)).body.data).toMatchObject({ version: 2 })
  expect((await publish(id)).body.data).toMatchObject({ version: 2, active: true })
})
const about = (target: string) => (entry: { details: { target: string } }) => entry.details.target === target

test('of two admins who save the same draft the second gets a conflict, and decides by what there is', async () => {
  const draft = await add('Shared', themePresets.paper)
  const save = (body: unknown) => admin.call('PUT', `/admin/api/themes/${draft.id}`, body)
  const seen = { name: 'Shared', tokens: themePresets.paper }
  const first = { name: 'First', tokens: themePresets.midnight }
  const second = { name: 'Second', tokens: themePresets.contrast }
  expect((await save({ ...first, seen })).body.data).toMatchObject(first)
  expect((await save({ ...first, seen })).body.data).toMatchObject(first) // its answer was lost
  expect(await save({ ...second, seen })).toMatchObject({ status: 409, body: { success: false, code: 'changed_meanwhile' } })
  expect((await save({ ...second, seen: first })).body.data).toMatchObject(second)
  const [one, two] = await Promise.all(['One', 'Two'].map((name) => save({ ...first, name, seen: second })))
  expect([one!.status, two!.status].sort()).toEqual([200, 409])
  expect((await save(seen)).body.data).toMatchObject({ name: 'Shared' })
})

test('a version can be restored, and the restoring undone', async () => {
  const { themes, presets } = (await admin.get('/admin/api/themes')).body.data
  expect(Object.keys(presets)).toEqual(['default', 'midnight', 'paper', 'contrast'])
  const first = themes.find(({ version }: { version: number }) => version === 1)
  expect((await publish(first.id)).body.data).toMatchObject({ version: 1, active: true })
  expect(await now()).toMatchObject({ version: 1 })
  const [entry] = (await admin.get('/admin/api/audit-log?action=theme_published&limit=1')).body.data
  expect(entry).toMatchObject({ can_undo: true })
  expect((await admin.post(`/admin/api/audit-log/${entry.id}/undo`)).body).toEqual({ success: true })
  expect(await now()).toMatchObject({ version: 2, name: 'Readable' })
  expect(await admin.post(`/admin/api/audit-log/${entry.id}/undo`)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await now()).toMatchObject({ version: 2 })
})

test('drafts can be deleted, versions cannot; colours are stored as hex', async () => {
  const draft = await add('Short', { ...themePresets.default, light: { ...themePresets.default.light, bg: '#FFF' } })
  expect(draft.tokens.light.bg).toBe('#ffffff')
  expect((await admin.call('DELETE', `/admin/api/themes/${draft.id}`)).body).toEqual({ success: true })
  expect(await publish(draft.id)).toMatchObject({ status: 404 })
  expect(at.bugs).toEqual([])
})
