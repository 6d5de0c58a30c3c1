import { fc } from '@augury/testing/properties'
import { expect, test } from 'vitest'
import { hashOf } from '../src/crypto/token.ts'
import { confirmTwoFactor } from '../src/identity/manage-two-factor.ts'
import { signIn } from '../src/identity/sign-in.ts'
import { verifyTotp } from '../src/identity/verify-totp.ts'
import { races } from './races.ts'
import { enrolled, enrolling, newWallet, pending, signed, visitor } from './signing-in.ts'
import { testSite } from './test-site.ts'

const { site, clock } = await testSite()
const race = races(site)
const passed = (outcomes: string[]) => outcomes.filter((outcome) => outcome === 'passed').length
const times = (count: number) => Array.from({ length: count }, (_, i) => i)
const RUNS = { numRuns: 25 }
const racers = fc.integer({ min: 2, max: 4 })

test('of several concurrent sign-ins with one nonce one succeeds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), racers, async (scheduler, count) => {
      const { body, cookies } = await signed(site, newWallet())
      const outcomes = await race(
        scheduler,
        times(count).map(() => (at) => signIn(at, visitor(cookies), { body })),
      )
      expect(outcomes.sort()).toEqual([...Array(count - 1).fill('nonce_used'), 'passed'])
    }),
    RUNS,
  )
})

test('concurrent first sign-ins of a wallet create one member', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), racers, async (scheduler, count) => {
      const wallet = newWallet()
      const browsers = await Promise.all(times(count).map(() => signed(site, wallet)))
      const outcomes = await race(
        scheduler,
        browsers.map(
          ({ body, cookies }) =>
            (at) =>
              signIn(at, visitor(cookies), { body }),
        ),
      )
      expect(passed(outcomes)).toBe(count)
      const address = wallet.address.toLowerCase()
      expect(await site.em().execute('select count(*)::int as n from users where address = ?', [address])).toEqual([{ n: 1 }])
      expect(await site.em().execute('select count(*)::int as n from wallet where address = ?', [address])).toEqual([{ n: 1 }])
    }),
    RUNS,
  )
})

test('of several browsers with one code one succeeds', async () => {
  const { wallet, code } = await enrolled(site, clock)
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), racers, async (scheduler, count) => {
      const browsers = await Promise.all(times(count).map(() => pending(site, wallet)))
      const body = { code: code() }
      const outcomes = await race(
        scheduler,
        browsers.map((cookies) => (at) => verifyTotp(at, visitor(cookies), { body })),
      )
      expect(outcomes.sort()).toEqual(['passed', ...Array(count - 1).fill('second_factor_failed')].sort())
      clock.advance(30_000)
      await site.em().execute('update two_factor set failures = 0')
    }),
    RUNS,
  )
})

test('no sign-in by the wallet alone survives turning the second factor on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), racers, async (scheduler, count) => {
      const { wallet, member, code } = await enrolling(site, clock)
      const browsers = await Promise.all(times(count).map(() => signed(site, wallet)))
      const outcomes = await race(scheduler, [
        (at) => confirmTwoFactor(at, member, { body: { code: code() } }),
        ...browsers.map(
          ({ body, cookies }) =>
            (at: typeof site) =>
              signIn(at, visitor(cookies), { body }),
        ),
      ])
      expect(passed(outcomes)).toBe(count + 1)
      const left: { id: string }[] = await site.em().execute('select id from session where user_id = ?', [member.id])
      expect(left.map(({ id }) => id)).toEqual([member.session])
    }),
    RUNS,
  )
})

test('one first step opens one session, whatever codes are sent for it', async () => {
  const { wallet, code, id } = await enrolled(site, clock)
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const cookies = await pending(site, wallet)
      await site.em().execute('delete from session where user_id = ?', [id])
      const outcomes = await race(
        scheduler,
        [code(), code(1)].map((each) => (at) => verifyTotp(at, visitor(cookies), { body: { code: each } })),
      )
      expect(outcomes.sort()).toEqual(['passed', 'second_factor_not_pending'])
      expect(await site.em().execute('select count(*)::int as n from session where user_id = ?', [id])).toEqual([{ n: 1 }])
      clock.advance(60_000)
    }),
    RUNS,
  )
})

test('a recovery code is accepted once among concurrent uses', async () => {
  const { wallet, recoveryCodes } = await enrolled(site, clock)
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), racers, fc.constantFrom(...times(10)), async (scheduler, count, at) => {
      const { id } = await enrolledAgain(recoveryCodes[at]!)
      expect(id).toBeTypeOf('string')
      const browsers = await Promise.all(times(count).map(() => pending(site, wallet)))
      const body = { recoveryCode: recoveryCodes[at]! }
      const outcomes = await race(
        scheduler,
        browsers.map((cookies) => (each) => verifyTotp(each, visitor(cookies), { body })),
      )
      expect(passed(outcomes)).toBe(1)
      await site.em().execute('update two_factor set failures = 0, locked_until = null')
    }),
    RUNS,
  )

  /** Restores a code that an earlier run used up. */
  async function enrolledAgain(code: string) {
    const address = wallet.address.toLowerCase()
    const [{ id }] = (await site.em().execute('select id from users where address = ?', [address])) as [{ id: string }]
    const hash = hashOf(`${id}:${code.replaceAll('-', '')}`)
    await site.em().execute('insert into recovery_code (user_id, code_hash) values (?, ?) on conflict do nothing', [id, hash])
    return { id }
  }
})

test('concurrent guesses from many sessions are counted one by one: five, then the lock', async () => {
  const { wallet, code, id } = await enrolled(site, clock)
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const browsers = await Promise.all(times(8).map(() => pending(site, wallet)))
      const wrong = code() === '000000' ? '000001' : '000000'
      const outcomes = await race(
        scheduler,
        browsers.map((cookies) => (at) => verifyTotp(at, visitor(cookies), { body: { code: wrong } })),
      )
      expect(outcomes.sort()).toEqual([...Array(5).fill('second_factor_failed'), ...Array(3).fill('second_factor_locked')])
      const [row] = await site.em().execute('select failures, locks from two_factor where user_id = ?', [id])
      expect(row).toEqual({ failures: 0, locks: 1 })
      await site.em().execute('update two_factor set locks = 0, locked_until = null where user_id = ?', [id])
    }),
    { numRuns: 10 },
  )
})
