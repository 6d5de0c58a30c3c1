import { expect, test } from 'vitest'
import { verifyTotp } from '../src/identity/verify-totp.ts'
import { enrolled, pending, visitor } from './signing-in.ts'
import { testSite } from './test-site.ts'
import vectors from './vectors/totp.json' with { type: 'json' }

const { site, clock } = await testSite()
const STEP = 30_000

/** A member, and the result of a proof at their next sign-in. */
async function someone() {
  const { wallet, id, code, recoveryCodes } = await enrolled(site, clock)
  const prove = async (proof: { code: string } | { recoveryCode: string }) => {
    const cookies = await pending(site, wallet)
    return verifyTotp(site, visitor(cookies), { body: proof }).then(
      () => 'passed',
      (error) => (error.code === 'clock_set_back' ? `${error.code} ${error.retryAfter}` : error.code),
    )
  }
  const forgive = () => site.em().execute('update two_factor set failures = 0 where user_id = ?', [id])
  return { id, code, recoveryCodes, prove, use: (text: string) => prove({ code: text }), forgive }
}
const failuresOf = async (id: string) => {
  const [row] = await site.em().execute<[{ failures: number }]>('select failures from two_factor where user_id = ?', [id])
  return row.failures
}

test('a code of a step before the last accepted one is refused, also one that was never used', async () => {
  const { id, code, use } = await someone()
  clock.advance(STEP)
  expect(await use(code())).toBe('passed')
  expect([await use(code(-1)), await use(code())]).toEqual(['second_factor_failed', 'second_factor_failed'])
  expect(await failuresOf(id)).toBe(2)
  clock.advance(STEP)
  expect(await use(code())).toBe('passed')
})

test('after a code of the next step, those of the present one are refused', async () => {
  const { code, use } = await someone()
  expect([await use(code(1)), await use(code()), await use(code(1))]).toEqual(['passed', 'second_factor_failed', 'second_factor_failed'])
  clock.advance(2 * STEP)
  expect(await use(code())).toBe('passed')
})

test('after the clock was set back no code is accepted, used or not, until it has caught up; a recovery code is', async () => {
  const { id, code, recoveryCodes, use, prove, forgive } = await someone()
  const used = code()
  expect(await use(used)).toBe('passed')
  clock.advance(10 * STEP)
  expect(await use(code())).toBe('passed')
  const accepted = clock.now() - (clock.now() % STEP)
  const left = () => (accepted - clock.now()) / 1000

  clock.advance(-10 * STEP)
  expect(await use(used)).toBe(`clock_set_back ${left()}`)
  clock.advance(-3 * STEP)
  expect(await use(code())).toBe(`clock_set_back ${left()}`)
  expect(await failuresOf(id)).toBe(0)
  expect(await use('000000' === code() ? '000001' : '000000')).toBe('second_factor_failed')
  expect(await failuresOf(id)).toBe(1)
  expect(await prove({ recoveryCode: recoveryCodes[0]! })).toBe('passed')

  clock.advance(13 * STEP)
  await forgive()
  expect(await use(code())).toBe('second_factor_failed')
  clock.advance(STEP)
  expect(await use(code())).toBe('passed')
})

test('setting up an authenticator again forgets what the one before used', async () => {
  const { id, code, use } = await someone()
  expect(await use(code())).toBe('passed')
  await site.em().execute('update two_factor set last_step = 0 where user_id = ?', [id])
  expect(await use(code())).toBe('passed')
})

test('the replay scenario of the vectors', async () => {
  const wallet = await enrolled(site, clock)
  const secret = site.vault.seal(vectors.scenarioKeyBase32, { user: wallet.id, field: 'two_factor.secret' })
  await site.em().execute('update two_factor set secret = ?, last_step = 0, failures = 0 where user_id = ?', [secret, wallet.id])
  const use = async (code: string) => {
    const cookies = await pending(site, wallet.wallet)
    return verifyTotp(site, visitor(cookies), { body: { code } }).then(
      () => true,
      () => false,
    )
  }
  for (const { step, at, code, expect: expected } of vectors.replayScenario) {
    clock.advance(at * 1000 - clock.now())
    if (expected.startsWith('exactly one')) expect((await Promise.all([use(code), use(code)])).filter(Boolean), step).toHaveLength(1)
    else if (/^\d+ wrong/.test(step)) {
      for (let i = 0; i < Number.parseInt(step, 10); i++) expect(await use(code === '000000' ? '000001' : '000000')).toBe(false)
      expect(await use(code), step).toBe(false)
    } else expect(await use(code), step).toBe(expected.startsWith('accept'))
  }
})
