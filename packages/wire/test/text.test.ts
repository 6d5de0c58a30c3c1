import { describe, expect, test } from 'vitest'
import { visible } from '../src/text.ts'

const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
const england = `\u{1F3F4}${[...'gbeng'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{E007F}`

describe('a text shown to others', () => {
  test.each([
    ['what turns letters around', 'send to \u202Etxt.exe\u202C now\u2066\u2069\u200F', 'send to txt.exe now'],
    ['letters without a width', 'Ad\u200Bm\u2060i\uFEFFn\u00AD', 'Admin'],
    ['joiners where nothing is joined', 'Ad\u200Dm\u200Cin \u200D', 'Admin '],
    ['tags that write unseen', `Yes${String.fromCodePoint(0xe0041, 0xe0042)}`, 'Yes'],
    ['looks of what has none, and second looks', 'a\uFE0F \u2764\uFE0F\uFE0F\u{E0100}', 'a \u2764\uFE0F'],
    ['letters without a picture', '\u3164\u115F\u034F\u17B4x', 'x'],
    ['ends of lines that no keyboard has', 'one\u2028two\u2029', 'onetwo'],
    ['marks over marks', `Z${'\u0335'.repeat(60)}o`, `Z${'\u0335'.repeat(4)}o`],
    ['letters in two pieces', 'e\u0301', '\u00E9'],
  ])('has no %s', (_, text, shown) => expect(visible(text)).toBe(shown))

  test.each([
    'Plain text,\n\twith lines and tabs.',
    'Dünya 🌧️ #️⃣ 👍🏽 👩🏽‍💻 🏳️‍🌈',
    family,
    england,
    'می\u200Cخواهم',
    'क्\u200Dष',
    'Tiếng Việt',
    'שָׁלוֹם עֲלֵיכֶם'.normalize('NFC'),
    '葛\u{E0100}城市',
    'ที่นี่ ก็ได้',
    '½ ① ﬁ ™',
  ])('keeps %j as it is', (text) => expect(visible(text)).toBe(text))

  test('is cleaned quickly, however it is made', () => {
    const since = performance.now()
    const pieces = ['\u0301', '\u0345\u0301\u0323', '\u200D', '\u{1F3F4}\u{E0067}', 'ا\u0301\u200C', '\uFE0F', '1\uFE0F']
    for (const piece of pieces) visible(piece.repeat(60_000))
    expect(performance.now() - since).toBeLessThan(5000)
  })
})
