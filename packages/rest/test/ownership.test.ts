import type { Operation } from '@augury/wire/operation'
import { platformOperations } from '@augury/wire/platform/operations'
import { beforeAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { enable, fund, tradingSite } from './exchange.ts'

const at = await tradingSite()
const signedIn = async (number: number) => {
  const browser = new Browser(at)
  const wallet = walletOf(number)
  const { user } = (await browser.signIn(wallet)).body
  await enable(browser, wallet)
  await fund(at, wallet.address, '100')
  return { browser, wallet, user: user as { id: string } }
}
const owner = await signedIn(12_001)
const stranger = await signedIn(12_002)
const admin = await signedIn(12_003)
await at.rows('insert into admin_wallet (address, created_at) values (?, now())', [admin.wallet.address.toLowerCase()])
const OTHERS = [
  ['another member', stranger.browser],
  ['an admin', admin.browser],
] as const

const memberRoutes = Object.entries<Operation>(platformOperations).filter(([, { auth }]) => auth === 'member')
const { browser } = owner

/** Resources of one member: how to create one, and the refusal for others, which must not reveal more. */
const OWN: Readonly<Record<string, { make: () => Promise<string>; body?: object; status: number; code: string }>> = {
  endSession: {
    async make() {
      const elsewhere = new Browser(at)
      await elsewhere.signIn(owner.wallet)
      return (await elsewhere.get('/api/auth/sessions')).body.find(({ current }: { current: boolean }) => current).id
    },
    status: 404,
    code: 'session_not_found',
  },
  cancelOrder: {
    async make() {
      const order = { tokenId: at.markets.rain.yes, side: 'BUY', orderType: 'GTC', price: '0.01', size: '10' }
      return (await browser.post('/api/orders', order)).body.orderId
    },
    status: 403,
    code: 'order_not_owned',
  },
  markNotification: {
    make: async () => (await browser.get('/api/notifications')).body[0].id,
    status: 404,
    code: 'notification_not_found',
  },
  cancelWithdrawal: {
    async make() {
      const [row] = await at.rows(
        `insert into withdrawal (user_id, address, destination, amount, status, held_until, created_at, updated_at)
         values (?, ?, ?, 1000000, 'requested', now() + interval '100 years', now(), now()) returning id`,
        [owner.user.id, owner.wallet.address.toLowerCase(), walletOf(1).address.toLowerCase()],
      )
      return String(row!.id)
    },
    status: 404,
    code: 'withdrawal_not_found',
  },
  renamePasskey: {
    async make() {
      const [row] = await at.rows(
        `insert into passkey (user_id, credential, public_key, name, created_at) values (?, 'own', 'key', 'Phone', now()) returning id`,
        [owner.user.id],
      )
      return String(row!.id)
    },
    body: { name: 'Laptop' },
    status: 404,
    code: 'passkey_not_found',
  },
  deleteComment: {
    make: async () => (await browser.post('/api/comments', { event: 'rain', content: 'Mine.' })).body.id,
    status: 404,
    code: 'comment_not_found',
  },
}
/** Routes that name a public resource, on which each member has private data. */
const SHARED = new Set(['listEventOpenOrders', 'removeBookmark', 'likeComment', 'reportComment'])

/** Routes whose proof names the resource, so that another member has none for it: `ways-in.test.ts` tries. */
const PROVEN = new Set(['removePasskey'])

const made = new Map<string, string>()
beforeAll(async () => {
  for (const [name, { make }] of Object.entries(OWN)) made.set(name, await make())
})
const ask = (who: Browser, name: string) => {
  const { method, path, body } = platformOperations[name as keyof typeof platformOperations] as Operation
  return who.call(method, path.replace('{id}', made.get(name)!), body ? (OWN[name]?.body ?? {}) : undefined)
}

test('every route that names a member’s resource is in the table', () => {
  const naming = memberRoutes.filter(([, { path }]) => path.includes('{')).map(([name]) => name)
  expect(naming.sort()).toEqual([...Object.keys(OWN), ...SHARED, ...PROVEN].sort())
})

/** Routes that there are only where a vault holds the money. */
const OF_VAULT = new Set(['/api/deposit-address', '/api/exit-file'])

const reads = memberRoutes.filter(([, { method }]) => method === 'GET').map(([name, { path }]) => [name, path.replace('{slug}', 'rain')])
test.each(OTHERS)('no route shows a member’s resources to %s', async (_, other) => {
  const [order, notification] = [made.get('cancelOrder')!, made.get('markNotification')!]
  const theirs = [...made].filter(([name]) => name !== 'deleteComment').map(([, id]) => id)
  const address = owner.wallet.address
  const query = new URLSearchParams({
    id: order,
    user: owner.user.id,
    userId: owner.user.id,
    user_id: owner.user.id,
    address,
    maker: address,
  })
  const seen = { own: '', others: '' }
  for (const [, path] of reads) {
    seen.own += JSON.stringify((await browser.get(path!)).body)
    for (const target of [path!, `${path}?${query}`]) {
      const { status, body } = await other.get(target)
      expect([target, status]).toEqual([target, OF_VAULT.has(path!) ? 404 : 200])
      seen.others += JSON.stringify(body)
    }
  }
  expect(theirs.filter((id) => !seen.own.includes(id))).toEqual([])
  const all = [...theirs, notification, owner.user.id, address, address.toLowerCase()]
  expect(all.filter((text) => seen.others.includes(text))).toEqual([])
})

test.each(Object.entries(OWN))('%s is only for its owner, and not for admins', async (name, { status, code }) => {
  for (const [, other] of OTHERS) expect(await ask(other, name)).toMatchObject({ status, body: { code } })
  expect(await ask(browser, name)).toMatchObject({ status: 200 })
})

test('there were no unexpected failures', () => {
  expect(at.bugs).toEqual([])
})
