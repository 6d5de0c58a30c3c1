import { expect, test } from 'vitest'
import { isReservedName } from '../src/account/reserved-names.ts'

test.each([
  'Admin',
  'ADMIN',
  'adm1n',
  'Adm_In',
  'Support',
  '5upport',
  'Supp0rt_24',
  'support2026',
  '99_support',
  'SupportTeam',
  'CustomerCare',
  'official_admin',
  'rnoderator',
  'Moderator',
  'Help_Desk',
  'Security',
  'Augury',
  'Augury_Support',
  'AUGURY_refunds',
  'real_augury',
  'Augvry'.replace('v', 'u'),
  '4ugury',
  'aug_ury',
  '0x12ab34',
  '0X71C7656EC7ab88b098defB751B740',
])('at “Augury” the name %s is reserved', (name) => expect(isReservedName(name, 'Augury')).toBe(true))

test.each([
  'Ada_1',
  'RainMan',
  'badminton',
  'supporter',
  'modest',
  'teammate',
  'helping_hand',
  'system_of_a_down',
  'serviceberry',
  'August',
  'rooted',
  '123',
  '___',
  'x0x',
  'owners',
  'bob',
  'Modena',
])('at “Augury” the name %s is not reserved', (name) => expect(isReservedName(name, 'Augury')).toBe(false))

test.each([
  ['Acme Markets', 'Acme_Support', true],
  ['Acme Markets', 'acmemarkets', true],
  ['Acme Markets', 'acme_lover', false],
  ['Bet', 'bet', true],
  ['Bet', 'Betty', false],
  ['Čas Ôk', 'CasOk_help', true],
  ['預測', 'Support', true],
  ['預測', 'bob', false],
  ['a.*(b+)+', 'zzz', false],
])('at “%s” the name %s is reserved: %s', (site, name, reserved) => expect(isReservedName(name, site)).toBe(reserved))

test('long and repetitive names are checked quickly', () => {
  const since = performance.now()
  isReservedName(`${'modmoderator'.repeat(2)}modxyz`, 'mo od mod')
  expect(performance.now() - since).toBeLessThan(500)
})
