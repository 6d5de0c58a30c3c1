import { expect, test } from 'vitest'
import { RANKS } from '../src/match.ts'
import { readSearch } from '../src/read-search.ts'
import { NOT_FOUND, SearchIndex } from '../src/search-index.ts'

const EVENTS: [title: string, names: string, marks?: string][] = [
  ['Presidential Election Winner 2028', 'Gavin Newsom\nJD Vance\nO’Brien\nRobert F. Kennedy Jr.', 'Politics\nElections\nPolítica\nسياسة'],
  ['Will Newsom run in 2028?', 'Yes\nNo', 'Politics'],
  ['2026 FIFA World Cup Winner', 'France\nTürkiye\nCuraçao\nCôte d’Ivoire', 'Sports'],
  ['Bitcoin above $150,000?', 'Yes\nNo', 'Crypto'],
  ['Spiderman opening weekend', 'Coca-Cola\nŁódź\nMüller\nStraße', 'Movies'],
  ['特朗普会赢得选举吗？', '是\n否'],
  ['ใครจะชนะการเลือกตั้ง', ''],
  ['هل يفوز المغرب بكأس العالم؟', 'نَعَم'],
  ['Кто выиграет выборы?', 'Зеленский'],
  ['Trump tariffs by June', 'Yes\nNo'],
  ['GTA VI released before 2027?', 'Yes\nNo'],
  ['Which party controls the House?', 'Republicans\nDemocrats'],
]
const index = new SearchIndex<string>()
for (const [title, names, marks = ''] of EVENTS) index.add(title, { title, names, marks })

const found = async (text: string) =>
  (await index.find(readSearch(text))).sort((a, b) => a.rank - b.rank).map(({ row }) => row.slice(0, 12))

test.each([
  ['an outcome', 'vance', ['Presidential']],
  ['a title before an outcome', 'newsom', ['Will Newsom ', 'Presidential']],
  ['words of the title and of an outcome, in any order', 'newsom 2028 election', ['Presidential']],
  ['the beginnings of words', 'pres ele', ['Presidential']],
  ['no accents', 'turkiye', ['2026 FIFA Wo']],
  ['accents', 'CURAÇAO', ['2026 FIFA Wo']],
  ['letters without a decomposition', 'lodz', ['Spiderman op']],
  ['a letter that is two', 'strasse', ['Spiderman op']],
  ['the apostrophe of a keyboard', "o'brien", ['Presidential']],
  ['another apostrophe', 'O’Brien', ['Presidential']],
  ['no apostrophe', 'obrien', ['Presidential']],
  ['what follows an apostrophe', 'ivoire', ['2026 FIFA Wo']],
  ['a possessive', "vance's 2028", ['Presidential']],
  ['quotes', '“gavin newsom”', ['Will Newsom ', 'Presidential']],
  ['a hyphen', 'coca-cola', ['Spiderman op']],
  ['a hyphen where the text has a space or nothing', 'spider-man', ['Spiderman op']],
  ['no hyphen', 'cocacola', ['Spiderman op']],
  ['an alias', 'btc', ['Bitcoin abov']],
  ['a number in another writing', '150k', ['Bitcoin abov']],
  ['a number without its comma', '150000', ['Bitcoin abov']],
  ['initials', 'j.d. vance', ['Presidential']],
  ['an alias of several words', 'gta 6', ['GTA VI relea']],
  ['an alias of an outcome', 'gop', ['Which party ']],
  ['a plural', 'elections winners', ['Presidential']],
  ['a verb', 'tariffed', ['Trump tariff']],
  ['a category', 'politics newsom', ['Presidential', 'Will Newsom ']],
  ['a category in another language', 'política', ['Presidential', 'Will Newsom ']],
  ['a category in another script', 'سياسة', ['Presidential', 'Will Newsom ']],
  ['a letter too few', 'trmp', ['Trump tariff']],
  ['two letters that changed places', 'vnace', ['Presidential']],
  ['two errors in a long word', 'presidantal', ['Presidential']],
  ['an error beside a word without one', 'newsmo 2028', ['Will Newsom ', 'Presidential']],
  ['no error in numbers', '2038', []],
  ['Chinese, which has no spaces', '特朗普', ['特朗普会赢得选举吗？']],
  ['one Chinese letter inside', '选', ['特朗普会赢得选举吗？']],
  ['more of it', '赢得选举', ['特朗普会赢得选举吗？']],
  ['not all of it', '赢得输举', []],
  ['Thai', 'เลือกตั้ง', ['ใครจะชนะการเ']],
  ['Arabic without the article', 'مغرب', ['هل يفوز المغ']],
  ['Arabic with vowels', 'المَغرِب', ['هل يفوز المغ']],
  ['Cyrillic in capitals', 'ЗЕЛЕНСК', ['Кто выиграет']],
  ['a question in other words', 'who will win the world cup', ['2026 FIFA Wo']],
  ['nothing to find', 'xyzzy', []],
  ['no letters', '%%% \\ ’’', []],
])('%s: %s', async (_, text, expected) => {
  expect(await found(text)).toEqual(expected)
})

test('a removed row is not found, a replaced one is', async () => {
  const changing = new SearchIndex<string>()
  const [gone, kept] = ['gone', 'kept'].map((row) => changing.add(row, { title: 'Rain', names: '', marks: '' })) as [number, number]
  changing.remove(gone)
  changing.replace(kept, 'new')
  expect(await changing.find(readSearch('rain'))).toEqual([{ row: 'new', rank: 0 }])
})

test('of equal matches those come first that have more words exactly as typed', async () => {
  const numbers = new SearchIndex<string>()
  for (const title of ['Will 5998 come?', 'Will 599 come?', 'Elections', 'Election']) numbers.add(title, { title, names: '', marks: '' })
  const best = async (text: string) => (await numbers.find(readSearch(text))).sort((a, b) => a.rank - b.rank).map(({ row }) => row)
  expect(await best('599 co will')).toEqual(['Will 599 come?', 'Will 5998 come?'])
  expect(await best('election')).toEqual(['Election', 'Elections'])
  expect(await best('elections')).toEqual(['Elections', 'Election'])
})

test('a label stands for a word in the last field', async () => {
  const filed = new SearchIndex<string>()
  filed.addTerms('in sports', [['cup'], [], ['/7']])
  filed.addTerms('sports', [['sports', 'cup'], [], []])
  const labels = {
    words: ['sports'],
    of: (forms: readonly (readonly { text: string }[])[]) => (forms.some(([term]) => term!.text === 'sports') ? ['/7'] : []),
  }
  const scores = await filed.scores(readSearch('sports cup'), RANKS, { labels })
  expect(scores[1]).toBeLessThan(scores[0]!)
  expect(scores[0]).toBeLessThan(NOT_FOUND)
  expect(filed.withNearWords(readSearch('sprots'), labels)?.[0]?.near).toEqual([[{ text: 'sports', isPrefix: false }]])
})

test('words are found whether they are sorted in or not', async () => {
  const many = new SearchIndex<number>()
  for (let n = 0; n < 5000; n++) many.add(n, { title: `Word${n}`, names: '', marks: '' })
  for (const n of [0, 1999, 2000, 4999]) expect((await many.find(readSearch(`word${n}`))).some(({ row }) => row === n)).toBe(true)
  expect(await many.find(readSearch('word'))).toHaveLength(5000)
})
