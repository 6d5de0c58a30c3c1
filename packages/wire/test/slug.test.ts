import { expect, test } from 'vitest'
import { marketSlugs, slugOf, slugOrMark, textMark } from '../src/platform/slug.ts'

test.each([
  ['Which door opens first?', 150, 'which-door-opens-first'],
  ['Économie & Société', 80, 'economie-societe'],
  ['  --  ', 80, ''],
  ['one two', 4, 'one'],
  ['نعم', 80, ''],
  ['+5', 80, 'plus-5'],
  ['−5', 80, 'minus-5'],
  ['-5 °C', 80, 'minus-5-c'],
  ['-5 to -3', 80, 'minus-5-to-minus-3'],
  ['5-3, 2025–26, Jean-Luc', 80, '5-3-2025-26-jean-luc'],
  ['≥ 3%', 80, 'at-least-3-percent'],
  ['≤3', 80, 'at-most-3'],
  ['<3', 80, 'below-3'],
  ['>= 3', 80, 'at-least-3'],
  ['10+', 80, '10-plus'],
  ['Łódź, Straße, Ørsted', 80, 'lodz-strasse-orsted'],
  ['Кто победит?', 80, 'kto-pobedit'],
  ['Київ', 80, 'kiiv'],
  ['Αθήνα', 80, 'athina'],
])('“%s” in %i characters is “%s” in an address', (text, most, slug) => expect(slugOf(text, most)).toBe(slug))

test('a text without a letter for addresses has a mark, the same for ever', () => {
  expect([slugOrMark('نعم'), slugOrMark(' '), slugOrMark('Yes')]).toEqual(['18y2ui7', '', 'yes'])
  expect(textMark(' 東京  A')).toBe(textMark('東京 a'))
})

const slugsOf = (...titles: (string | [title: string, slug: string])[]) =>
  marketSlugs({
    mode: 'several',
    slug: 'e',
    options: titles.map((each) => ({
      question: '',
      short_title: typeof each === 'string' ? each : each[0],
      slug: typeof each === 'string' ? '' : each[1],
    })),
  })

test.each([
  ['a sign', ['+5', '−5', '5']],
  ['a comparison', ['≥5', '≤5', '<5', '>5', '=5']],
  ['a currency', ['$5', '€5', '£5']],
  ['a point', ['1.5', '1-5', '15', '1,5']],
  ['a script', ['نعم', 'لا', '東京', '大阪', '한국', 'ไทย', 'हाँ', 'כן']],
  ['an emoji', ['🏆', '🐨']],
  ['letters of another script beside Latin ones', ['東京 A', '大阪 A', 'A']],
  ['their ends', [`${'a'.repeat(199)}b`, `${'a'.repeat(199)}c`]],
  ['what another was given', [['One', 'e-two'], 'Two']],
] as [string, (string | [string, string])[]][])('options that differ by %s have slugs of their own, in any order', (_, titles) => {
  const slugs = slugsOf(...titles)
  expect(new Set(slugs).size).toBe(titles.length)
  for (const slug of slugs) expect(slug).toMatch(/^(?=.{1,200}$)[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(slugsOf(...titles.toReversed())).toEqual(slugs.toReversed())
})

test('the same title twice has the same slug twice, so that it is refused', () => {
  const [one, two, three] = slugsOf('Same', ' same ', 'Other')
  expect([one === two, three]).toEqual([true, 'e-other'])
})

test('a question by itself has the slug of its event', () =>
  expect(marketSlugs({ mode: 'binary', slug: 'e', options: [] })).toEqual(['e-market']))
