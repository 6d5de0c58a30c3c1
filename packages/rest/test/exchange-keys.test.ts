import { expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { tradingSite } from './exchange.ts'

const at = await tradingSite()
const admin = new Browser(at)
await admin.signIn(walletOf(8100))
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [walletOf(8100).address.toLowerCase()])
const pause = () => admin.post(`/admin/api/events/${at.markets.rain.event}/pause`)

test('a key of the deployment that was revoked at the exchange is replaced without a restart', async () => {
  const { exchange } = at.site
  for (const open of [() => exchange.operator().then((each) => each.exchange), exchange.treasury, exchange.reader]) {
    const before = await open()
    await before.deleteKey()
    await expect(before.listKeys()).rejects.toMatchObject({ code: 'unknown_key' })
    expect(await (await open()).listKeys()).toBeDefined()
  }
})

test('an admin’s request that finds the key revoked is refused as unavailable, and succeeds when repeated', async () => {
  await (await at.site.exchange.operator()).exchange.deleteKey()
  expect(await pause()).toMatchObject({ status: 500, body: { success: false, code: 'service_unavailable' } })
  expect((await pause()).body).toEqual({ success: true })
})
