import { expect, test } from 'vitest'
import { verifyTotp } from '../src/identity/verify-totp.ts'
import { enrolled, pending, visitor } from './signing-in.ts'
import { testSite } from './test-site.ts'

const { site, clock } = await testSite()
const STEP = 30_000

/** A member, what becomes of a code on their next sign-in, and how to set the clock by steps. */
async function someone() {
  const { wallet, id, code } = await enrolled(site, clock)
  const use = async (text: string) => {
    await site.em().execute('update two_factor set failures = 0 where user_id = ?', [id])
    const cookies = await pending(site, wallet)
    return verifyTotp(site, visitor(cookies), { body: { code: text } }).then(
      () => 'passed',
      (error) => error.code,
    )
  }
  return { id, code, use }
}

test('a code that was never used is accepted after the clock was set back, and none twice', async () => {
  const { code, use } = await someone()
  const used: string[] = []
  for (let i = 0; i < 5; i++) {
    clock.advance(2 * STEP)
    used.push(code())
    expect(await use(code())).toBe('passed')
  }
  clock.advance(-9 * STEP) // to the step before the first that was used
  const again = code()
  expect(await use(again)).toBe('passed')
  expect(await use(again)).toBe('second_factor_failed')
  for (const each of used) {
    expect(code(1)).toBe(each) // good by the clock alone
    expect(await use(each)).toBe('second_factor_failed')
    clock.advance(2 * STEP)
  }
  expect(await use(code())).toBe('passed')
})

test('a code of a step before the last is accepted once', async () => {
  const { code, use } = await someone()
  clock.advance(STEP)
  expect(await use(code())).toBe('passed')
  expect([await use(code(-1)), await use(code(-1)), await use(code())]).toEqual(['passed', 'second_factor_failed', 'second_factor_failed'])
})

test('however many codes were used, none is accepted twice', async () => {
  const { id, code, use } = await someone()
  const [row] = await site.em().execute<{ last_step: string }[]>('select last_step from two_factor where user_id = ?', [id])
  const last = Number(row!.last_step)
  const first = clock.now()
  for (let i = 0; i < 105; i++) {
    expect(await use(code())).toBe('passed')
    clock.advance(STEP)
  }
  const [{ used_steps }] = await site.em().execute<[{ used_steps: number[] }]>('select used_steps from two_factor where user_id = ?', [id])
  expect([used_steps.length, used_steps.at(-1)]).toEqual([100, last + 105])
  clock.advance(first - clock.now())
  for (let i = 0; i < 105; i += 13) {
    expect(await use(code())).toBe('second_factor_failed')
    clock.advance(13 * STEP)
  }
})

test('what another release used counts, which tells only its last step', async () => {
  const { id, code, use } = await someone()
  clock.advance(2 * STEP)
  await site.em().execute('update two_factor set last_step = last_step + 3 where user_id = ?', [id])
  expect(await use(code())).toBe('second_factor_failed')
  expect(await use(code(-1))).toBe('second_factor_failed')
  expect(await use(code(1))).toBe('passed')
})
