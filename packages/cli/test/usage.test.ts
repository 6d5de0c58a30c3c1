import { expect, test } from 'vitest'
import { readMoment } from '../src/commands/order.ts'
import { commands } from '../src/commands/table.ts'
import { mapConcurrently } from '../src/map-concurrently.ts'
import { columns, short } from '../src/table.ts'
import { commandUsage, programUsage } from '../src/usage.ts'

test('the usage names every command, and of each every flag', () => {
  for (const [name, command] of Object.entries(commands)) {
    expect(programUsage(commands)).toContain(`\n  ${name} `)
    for (const flag of [...Object.keys(command.flags), 'json', 'url']) expect(commandUsage(name, command)).toContain(`\n  --${flag}`)
  }
})

test.each([
  ['90m', 5400],
  ['6h', 21_600],
  ['2d', 172_800],
  ['1970-01-02T00:00:00Z', 86_400],
])('%s is %i seconds after 1970', (text, seconds) => {
  expect(readMoment(text, 999)).toBe(seconds)
})

test.each(['', 'soon', '10', '1w', '2030-01-31', '-5m'])('%j is not a time', (text) => {
  expect(() => readMoment(text, 0)).toThrow('--expires is a time')
})

test('a long text is shortened without splitting a character', () => {
  expect([short('rain', 4), short('rainy', 4), short('ra🌧️n', 4), short('ra🌧️n', 5)]).toEqual(['rain', 'rai…', 'ra…', 'ra🌧️n'])
  expect([short('東京は雨か', 10), short('東京は雨か', 9), short('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3)]).toEqual(['東京は雨か', '東京は雨…', '👩‍👩‍👧‍👦…'])
})

test('columns line up', () => {
  expect(
    columns(
      [
        ['a', '1', 'x'],
        ['long', '100', ''],
      ],
      [1],
    ),
  ).toBe('a       1  x\nlong  100')
  const wide = [
    ['東京', '1', 'x'],
    ['한국🏀', '100', 'y'],
    ['❤️ é', '20', 'z'],
    ['e\u0301', '7', '🇯🇵'],
  ]
  expect(columns(wide, [1])).toBe('東京      1  x\n한국🏀  100  y\n❤️ é     20  z\ne\u0301         7  🇯🇵')
})

test('concurrent work keeps the order of its results, and at most eight run at once', async () => {
  let [under, most] = [0, 0]
  const doubled = await mapConcurrently([...Array(40).keys()], async (item) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setTimeout(resolve, item % 3))
    under--
    return item * 2
  })
  expect(doubled).toEqual([...Array(40).keys()].map((item) => item * 2))
  expect(most).toBe(8)
  expect(await mapConcurrently([], async () => 1)).toEqual([])
  await expect(mapConcurrently([1, 2], async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
