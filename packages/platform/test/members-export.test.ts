import { expect, test } from 'vitest'
import { exportUsers } from '../src/admin/users.ts'
import { newAdmin } from './signing-in.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()

test('however many members there are, each is in the export once', async () => {
  const admin = await newAdmin(site)
  await site.em().execute(
    `insert into users (address, affiliate_code, username)
     select '0x' || lpad(to_hex(n), 40, '0'), 'member' || n, 'member' || n from generate_series(1, 20500) n`,
  )
  const parts: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const { csv, next } = (await exportUsers(site, admin, { query: { after } })).data
    parts.push(csv)
    after = next
  }
  expect(parts.map((part) => part.split('\r\n').length - 1)).toEqual([10_001, 10_000, 501])
  const [header, ...lines] = parts.join('').trimEnd().split('\r\n')
  expect(header).toMatch(/^address,username,/)
  const names = new Set(lines.map((line) => line.split(',')[1]))
  expect([names.size, names.has('member1'), names.has('member20500')]).toEqual([20_501, true, true])
})
