import { expect, test } from 'vitest'
import { claim, type WithdrawalRow } from '../src/withdrawals/withdrawal-row.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
const address = `0x${'ab'.repeat(20)}`

/** A withdrawal to be sent to the exchange, as in the database. */
async function withdrawal(status: string): Promise<WithdrawalRow> {
  const em = site.em()
  const [user]: { id: string }[] = await em.execute(
    'insert into users (address, affiliate_code) values (?, ?) on conflict (address) do update set address = excluded.address returning id',
    [address, 'abcdef'],
  )
  const [row]: WithdrawalRow[] = await em.execute(
    `insert into withdrawal (user_id, address, amount, destination, status, created_at, updated_at) values (?, ?, 1000000, ?, ?, ?, ?) returning *`,
    [user!.id, address, address, status, site.now(), site.now()],
  )
  return row!
}

test('of two concurrent claims of a withdrawal one succeeds, and likewise of two later ones', async () => {
  let seen = await withdrawal('approved')
  for (let minutes = 1; minutes < 4; minutes++) {
    const at = new Date(site.now().getTime() + minutes * 60_000)
    const claims = await Promise.all([claim(site.em(), seen, at), claim(site.em(), seen, at), claim(site.em(), seen, at)])
    const taken = claims.filter((row) => row !== null)
    expect(taken.map(({ id, updated_at }) => [id, new Date(updated_at)])).toEqual([[seen.id, at]])
    expect(await claim(site.em(), seen, at)).toBeNull()
    seen = taken[0]!
  }
})

test.each(['sent', 'settled', 'returned', 'refused', 'cancelled'])('one that is %s cannot be claimed', async (status) => {
  const seen = await withdrawal(status)
  expect(await claim(site.em(), seen, site.now())).toBeNull()
})
