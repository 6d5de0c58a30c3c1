import { expect, test } from 'vitest'
import { cancelledAmong, claimWithdrawals } from '../src/withdrawals/claims.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
const names = (from: number, count: number) => Array.from({ length: count }, (_, n) => `withdrawal-${from + n}`)
const member = async (ref: string) => (await site.em().transactional((em) => claimWithdrawals(em, [ref], 'member'))).get(ref)
const settler = (refs: readonly string[]) => site.em().transactional((em) => claimWithdrawals(em, refs, 'settler'))

test('of a member and a settler the first has a withdrawal, for ever, in either order', async () => {
  expect([await member('one'), await member('one')]).toEqual(['member', 'member'])
  expect(await settler(['one', 'two'])).toEqual(
    new Map([
      ['one', 'member'],
      ['two', 'settler'],
    ]),
  )
  expect([await member('two'), (await settler(['two'])).get('two')]).toEqual(['settler', 'settler'])
  expect([...(await cancelledAmong(site.em(), ['one', 'two', 'three']))]).toEqual(['one'])
})

test('of 400 withdrawals that are cancelled and claimed for payment at once, each goes to exactly one', async () => {
  let [taken, paid] = [0, 0]
  for (let round = 0; round < 10; round++) {
    const refs = names(round * 40, 40)
    // Both begin now; the batch of the settler inserts in order, and members cancel from its end or from its beginning.
    const cancels = (round % 2 === 0 ? refs : refs.toReversed()).map((ref) => member(ref))
    const [batch, again, ...answers] = await Promise.all([settler(refs), settler(refs.toReversed()), ...cancels])
    const order = round % 2 === 0 ? refs : refs.toReversed()
    for (const [n, ref] of order.entries()) {
      const holder = answers[n]
      expect([batch.get(ref), again.get(ref)]).toEqual([holder, holder])
      if (holder === 'member') taken++
      else paid++
    }
  }
  expect(taken + paid).toBe(400)
})
