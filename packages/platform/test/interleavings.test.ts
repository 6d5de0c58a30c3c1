import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSession, startSession } from '../src/identity/sessions.ts'
import { signIn } from '../src/identity/sign-in.ts'
import { verifyTotp } from '../src/identity/verify-totp.ts'
import { saveTradingCredentials } from '../src/trading/manage-credentials.ts'
import { everyInterleaving } from './interleavings.ts'
import { enrolled, newWallet, pending, signed, visitor } from './signing-in.ts'
import { cookiesOf, testSite, visitWith } from './test-site.ts'

const { site, clock } = await testSite()
const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make))
const oneOf = (count: number, code: string) => ['passed', ...Array(count - 1).fill(code)].sort()
const RACERS = [2, 3, 4]
/** Milliseconds for some dozens of orders on a busy machine. */
const PATIENCE = 120_000

test.each(RACERS)(
  'of %i sign-ins with one nonce one passes, in whatever order their queries come',
  async (count) => {
    const orders = await everyInterleaving(site, {
      shared: /update sign_in_nonce|into session/,
      begin: async () => {
        const { body, cookies } = await signed(site, newWallet())
        return Array.from({ length: count }, () => (at) => signIn(at, visitor(cookies), { body }))
      },
      check: (outcomes) => expect(outcomes.sort()).toEqual(oneOf(count, 'nonce_used')),
    })
    expect(orders).toBeGreaterThanOrEqual(count)
  },
  PATIENCE,
)

test.each(RACERS)(
  'of %i browsers with one code one passes, in whatever order their queries come',
  async (count) => {
    const { wallet, code } = await enrolled(site, clock)
    const orders = await everyInterleaving(site, {
      shared: /from two_factor where .* for update|set last_step/,
      begin: async () => {
        clock.advance(30_000)
        await site.em().execute('update two_factor set failures = 0')
        const browsers = await times(count, () => pending(site, wallet))
        const body = { code: code() }
        return browsers.map((cookies) => (at) => verifyTotp(at, visitor(cookies), { body }))
      },
      check: (outcomes) => expect(outcomes.sort()).toEqual(oneOf(count, 'second_factor_failed')),
    })
    expect(orders).toBeGreaterThanOrEqual(count)
  },
  PATIENCE,
)

test.each(RACERS)(
  'of %i devices that save credentials at once each may trade, in whatever order their queries come',
  async (count) => {
    const made = { id: '' }
    const visits = () => Array.from({ length: count }, () => visitWith())
    let at = visits()
    const orders = await everyInterleaving(site, {
      shared: /for update|into trading_context/,
      begin: async () => {
        const address = `0x${randomBytes(20).toString('hex')}` as const
        const [user]: { id: string }[] = await site
          .em()
          .execute('insert into users (address, affiliate_code) values (?, ?) returning id', [address, randomBytes(6).toString('hex')])
        made.id = user!.id
        at = visits()
        const tokens = await Promise.all(at.map((visit) => startSession(site.em(), made.id, visit, site.now())))
        const members = await Promise.all(tokens.map((token, i) => readSession(site, token, at[i]!)))
        const body = { set: 'relayer', address, key: 'k', secret: 's', passphrase: 'p' } as const
        return members.map((member) => (raced) => saveTradingCredentials(raced, member!, { body }))
      },
      check: async (outcomes) => {
        expect(outcomes).toEqual(Array(count).fill('passed'))
        expect(new Set(at.map((visit) => cookiesOf(visit)['__Host-augury_context'])).size).toBe(count)
        const slots: { slot: number }[] = await site
          .em()
          .execute('select slot from trading_context where user_id = ? order by slot', [made.id])
        expect(slots.map(({ slot }) => slot)).toEqual(Array.from({ length: count }, (_, slot) => slot))
      },
    })
    expect(orders).toBeGreaterThanOrEqual(count)
  },
  PATIENCE,
)
