import { expect, test } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { reseal } from '../src/identity/reseal.ts'
import { secretPlace } from '../src/identity/second-factor.ts'
import { credentialPlace, storeCredentials } from '../src/identity/stored-credentials.ts'
import { secretOf, setSecret } from '../src/settings/secrets.ts'
import { testSite } from './test-site.ts'

const { site } = await testSite()
const [old, next, lost] = [1, 2, 3].map((byte) => ({ id: String(byte), key: Buffer.alloc(32, byte) })) as [Ring, Ring, Ring]
type Ring = { id: string; key: Buffer }
const MEMBERS = 230

const ids: string[] = (
  await site.em().execute<{ id: string }[]>(
    `insert into users (address, affiliate_code)
     select '0x' || lpad(to_hex(i), 40, '0'), 'code' || lpad(i::text, 6, '0') from generate_series(1, ${MEMBERS}) i returning id`,
  )
).map(({ id }) => id)
const given = (id: string) => ({ address: `0x${'a'.repeat(40)}`, key: 'k', secret: `secret ${id}`, passphrase: `passphrase ${id}` })

async function fill(vault: Vault) {
  const em = site.em()
  await em.execute('delete from two_factor')
  for (const id of ids) {
    await storeCredentials(em, vault, id, 'clob', given(id), site.now())
    await em.execute('insert into two_factor (user_id, secret) values (?, ?)', [id, vault.seal(`totp ${id}`, secretPlace(id))])
  }
  await storeCredentials(em, vault, ids[0]!, 'relayer', given(ids[0]!), site.now())
  await setSecret(em, vault, 'ai.apiKey', 'the key of the model', site.now())
}
const VALUES = 3 * MEMBERS + 3

test('everything is re-encrypted with the new key, decrypts without the old one, and running it again changes nothing', async () => {
  await fill(new Vault([old]))
  const ring = new Vault([next, old])
  expect(await reseal(site, ring)).toEqual({ resealed: VALUES, current: 0, unreadable: 0 })
  const alone = new Vault([next])
  const rows: { user_id: string; set: 'clob' | 'relayer'; secret: string; passphrase: string }[] = await site
    .em()
    .execute('select user_id, set, secret, passphrase from trading_credential')
  for (const { user_id, set, secret, passphrase } of rows) {
    expect(alone.open(secret, credentialPlace(user_id, set, 'secret'))).toBe(`secret ${user_id}`)
    expect(alone.open(passphrase, credentialPlace(user_id, set, 'passphrase'))).toBe(`passphrase ${user_id}`)
  }
  const factors: { user_id: string; secret: string }[] = await site.em().execute('select user_id, secret from two_factor')
  for (const { user_id, secret } of factors) expect(alone.open(secret, secretPlace(user_id))).toBe(`totp ${user_id}`)
  expect([rows.length, factors.length]).toEqual([MEMBERS + 1, MEMBERS])
  expect(await secretOf(site.em(), alone, 'ai.apiKey')).toBe('the key of the model')
  expect(await reseal(site, ring)).toEqual({ resealed: 0, current: VALUES, unreadable: 0 })
})

test('values that no key of the ring decrypts are counted and kept, and the rest continues', async () => {
  await fill(new Vault([old]))
  const [id] = ids
  await storeCredentials(site.em(), new Vault([lost]), id!, 'clob', given(id!), site.now())
  const kept = await site.em().execute('select secret, passphrase from trading_credential where user_id = ? and set = ?', [id, 'clob'])
  expect(await reseal(site, new Vault([next, old]))).toEqual({ resealed: VALUES - 2, current: 0, unreadable: 2 })
  expect(await site.em().execute('select secret, passphrase from trading_credential where user_id = ? and set = ?', [id, 'clob'])).toEqual(
    kept,
  )
})

test('a value that bears the first key’s id, and was sealed by another key, does not pass for up to date', async () => {
  await fill(new Vault([old]))
  const renamed = new Vault([
    { ...next, id: old.id },
    { ...old, id: next.id },
  ])
  expect(await reseal(site, renamed)).toEqual({ resealed: 0, current: 0, unreadable: VALUES })
})
