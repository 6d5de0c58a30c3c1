import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { artOfCategory, artOfEvent, artOfOutcome, artOfPerson } from '../src/choose.ts'
import { drawArt } from '../src/draw.ts'

test.each([
  ['2026 NBA Champion', ['sports'], 'e_basketball'],
  ['NBA MVP', ['sports'], 'e_medal'],
  ['UEFA Champions League Winner', ['sports'], 'e_football'],
  ['Super Bowl LX', ['sports'], 'e_gridiron'],
  ['Will Bitcoin reach $150k?', ['crypto'], 'c_btc'],
  ['MegaETH airdrop by...?', ['crypto'], /^k_MEGA_/],
  ['Starmer out by...?', ['politics'], /^p_KS_\d+_gb$/],
  ['Xi Jinping out before 2027?', ['world'], /^p_XJ_\d+_cn$/],
  ['Ukraine election held by...?', ['world'], 'e_ballot_ua'],
  ['Will Russia capture Sumy by...?', ['world'], 'e_pin_ua'],
  ['US x Russia military clash by...?', ['world'], 'f_us_ru'],
  ['Israel and Syria normalize relations by...?', ['world'], 'f_il_sy'],
  ['Will any country leave NATO by...?', ['world'], 'e_compass'],
  ['SCOTUS accepts sports event contract case by...?', ['politics'], 'e_court_us'],
  ['Which party will win the Senate in 2026?', ['politics'], 'e_parliament_us'],
  ['Fed rate cut in March?', ['economy'], /^e_bank/],
  ['Will it rain in Paris tomorrow?', ['weather'], 'e_sun'],
  ['Best Picture at the Oscars', ['culture'], 'e_film'],
  ['Starship reaches orbit?', ['tech'], 'e_rocket'],
  ['Will my neighbour keep his promise?', ['culture'], /^g_7_\d+$/],
  ['tell us more', ['culture'], /^g_7_\d+$/],
])('an event "%s" gets its picture', (title, tags, art) => {
  expect(artOfEvent({ title, tags })).toMatch(art instanceof RegExp ? art : new RegExp(`^${art}$`))
})

const cup = { title: '2026 FIFA World Cup Winner', tags: ['sports'] }
const league = { title: 'UEFA Champions League Winner', tags: ['sports'] }
const nominee = { title: 'Democratic Presidential Nominee 2028', tags: ['politics'] }
const when = { title: 'Starmer out by...?', tags: ['politics'] }
test.each([
  ['Spain', cup, 'f_es'],
  ['Curaçao', cup, 'f_cw'],
  ['Bosnia-Herzegovina', cup, 'f_ba'],
  ['USA', cup, 'f_us'],
  ['Monaco', league, 't_MON_e51b22_ffffff_6'],
  ['Real Madrid', league, 't_RMA_ffffff_3d2f8f_4'],
  ['Unheard-of Rovers', league, /^t_[A-Z]{2,3}_/],
  ['Gavin Newsom', nominee, /^p_GN_\d+$/],
  ['Alexandria Ocasio-Cortez', nominee, /^p_AC_/],
  ["Dwayne 'The Rock' Johnson", nominee, /^p_DJ_/],
  ['Donald Trump Jr.', nominee, /^p_DT_/],
  ['Other', nominee, 'e_question'],
  ['June 30, 2026', when, 'd_JUN_30'],
  ['December 31', when, 'd_DEC_31'],
  ['2025', when, 'd__2025'],
  ['>$2B', { title: 'Market cap?', tags: ['crypto'] }, 'l_u_\\$2B'],
  ['↓ 3.5%', { title: 'Unemployment?', tags: ['economy'] }, 'l_d_3.5%'],
  ['3-4', { title: 'How many rate cuts?', tags: ['economy'] }, 'l_n_3-4'],
  ['$100,000 or more', { title: 'Prize?', tags: [] }, 'l_u_\\$100k'],
  ['Democrats', { title: 'Which party?', tags: ['politics'] }, 's_d_d'],
  ['R Senate, D House', { title: 'Balance of Power', tags: ['politics'] }, 's_r_d'],
])('an outcome "%s" gets its picture', (name, event, art) => {
  expect(artOfOutcome(name, event)).toMatch(art instanceof RegExp ? art : new RegExp(`^${art}$`))
})

test('a picture is chosen the same way each time, and members differ', () => {
  const choose = () => artOfPerson({ username: null, address: '0x1234567890123456789012345678901234567890' })
  expect(choose()).toBe(choose())
  expect(artOfPerson({ username: 'night_owl', address: '0x1' })).toBe('u_night_owl')
  const some = Array.from({ length: 50 }, (_, n) => drawArt(artOfPerson({ username: null, address: `0x${String(n).padStart(40, '0')}` })))
  expect(new Set(some).size).toBeGreaterThan(45)
})

const hostile = [
  '',
  ' ',
  'a'.repeat(200),
  '日本の首相',
  'هل ستمطر غدا',
  'Ли Вэй и Ольга',
  '🎉🎊',
  '\u202Egpj.exe\u202C',
  '<script>alert(1)</script>',
  `"'><svg onload=1>`,
  '../../etc/passwd',
  'e_football_us',
  '__proto__',
  'constructor',
  'toString',
  '\u0000\uD800',
  '%2e%2e%2f',
  'ﷺﷺ',
  'ß ŉ ﬁ',
]
test.each(hostile)('any text gives a picture: %j', (text) => {
  const names = [
    artOfEvent({ title: text, tags: [text] }),
    artOfOutcome(text, { title: text, tags: ['sports'] }),
    artOfOutcome(text, { title: 'Who?', tags: ['politics'] }),
    artOfPerson({ username: text, address: text }),
    artOfCategory(text),
  ]
  for (const name of names) {
    expect([name, drawArt(name)]).toEqual([name, expect.stringMatching(/^<svg .*<\/svg>$/s)])
    expect(drawArt(name, true)).toMatch(/^<svg .*<\/svg>$/s)
  }
})

interface Listed {
  title: string
  tags: { slug: string }[]
  markets: { question: string; groupItemTitle?: string }[]
}
const catalogue: Listed[] = JSON.parse(readFileSync(new URL('../../../data/catalogue.json', import.meta.url), 'utf8'))
test('every event and outcome of the catalogue has a picture of what it is about', () => {
  const found = catalogue.flatMap(({ title, tags, markets }) => {
    const event = { title, tags: tags.map(({ slug }) => slug) }
    const outcomes = markets.map(({ groupItemTitle, question }) => groupItemTitle || question)
    return [[title, artOfEvent(event)], ...outcomes.map((name) => [name, artOfOutcome(name, event)])] as [string, string][]
  })
  expect(found.length).toBeGreaterThan(400)
  expect(found.filter(([, art]) => art.startsWith('g_') || drawArt(art) === null || drawArt(art, true) === null)).toEqual([])
})
