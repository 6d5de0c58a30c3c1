import { expect, test } from 'vitest'
import { plain, plainLine } from '../src/outbound/plain-text.ts'

test.each([
  ['what is only letters', 'Will it rain in Łódź, or in القاهرة? 🌧', 'Will it rain in Łódź, or in القاهرة? 🌧'],
  ['lines and tabs', 'one\n\ttwo', 'one\n\ttwo'],
  ['a bell and a null', 'a\u0007b\u0000c', 'abc'],
  ['the other way to begin a sequence of a terminal', 'a\u009b31mb', 'a31mb'],
  ['letters that turn the line around', 'a\u202eb\u2067c\u061cd', 'abcd'],
  ['letters without a width', 'a\u200bb\u00adc\ufeffd\u2060e', 'abcde'],
  ['letters that only a model reads', 'a\u{e0069}\u{e0067}b', 'ab'],
  ['ends of lines that scripts know', 'a\u2028b\u2029c', 'abc'],
  ['half of a letter', 'a\ud83cb\udf27c', 'abc'],
  ['marks over marks', `Z${'\u0335'.repeat(60)}o`, `Z${'\u0335'.repeat(4)}o`],
  ['a joiner that shapes letters', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['white space around', ' \n a ', 'a'],
])('%s is reduced to plain text', (_, text, shown) => {
  expect(plain(text, 100)).toBe(shown)
})

test('a text is truncated between characters', () => {
  expect(plain('rain 🌧', 7)).toBe('rain 🌧')
  expect(plain('rain 🌧', 6)).toBe('rain ')
})

test('a title is one line', () => {
  expect(plainLine(' Will it\r\n\train?\u2028 ', 100)).toBe('Will it rain?')
})
