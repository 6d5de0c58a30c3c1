import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawSharePicture } from '../src/lib/server/draw-picture.ts'
import { directionOfText, drawable } from '../src/lib/server/picture-text.ts'
import { pictureSite } from '../src/lib/server/share-picture.ts'

const missing = async (...texts: string[]) => (await drawable(texts)).missing

test.each([
  ['Latin of Poland, Czechia, Turkey and Vietnam', 'Łódź Žižkov İşkodra ệắ ŘŇ'],
  ['Cyrillic and Greek', 'Жёлтый Їжак Ѓ ΣΩ ᾳ'],
  ['Arabic, Persian and Urdu', 'هل ستفوز؟ پگاه ٹکٹ ۲۰۲۶'],
  ['Hebrew', 'האם ירושלים תזכה? שָׁלוֹם'],
  ['Devanagari', 'क्या भारत जीतेगा? श्री'],
  ['Bengali, Gujarati, Gurmukhi and Oriya', 'বাংলাদেশ ગુજરાતી ਪੰਜਾਬੀ ଓଡ଼ିଆ'],
  ['Tamil, Telugu, Kannada, Malayalam and Sinhala', 'தமிழ் తెలుగు ಕನ್ನಡ മലയാളം සිංහල'],
  ['Thai, Lao, Khmer and Burmese', 'น้ำ ຂໍ້ ខ្មែរ မြန်မာ'],
  ['Georgian, Armenian, Ethiopic and Thaana', 'საქართველო Հայաստան አማርኛ ދިވެހި'],
  ['Japanese', '高安が優勝しますか？カタカナ'],
  ['Chinese', '臺灣總統選舉 简体中文'],
  ['Korean', '대한민국 한글 뷁'],
  ['mathematics and signs', '∀x∈ℝ: x² ≥ 0 → ∑ ∫ √2 ≠ ∞ 𝔸 ½ ← ★ ☀ ™ № ₿ €'],
  ['combining marks', 'e\u0301 a\u030a\u0323 Z\u030c n\u0303'],
  ['emoji, of one sign and of several', '🏆🐨 👨‍👩‍👧 👍🏽 🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ ❤️ 🏳️‍🌈 🫨'],
  ['invisible marks', '\u200fא\u200e b\u200bc\u2068d\u2069\ufeff'],
])('a sharing image draws %s', async (_, text) => {
  expect(await missing(text)).toEqual([])
})

test('a sharing image draws every text of the shipped catalogue', async () => {
  const catalogue = await readFile(new URL('../../../data/catalogue.json', import.meta.url), 'utf8')
  const texts = [...catalogue.matchAll(/"(?:title|question|groupItemTitle|outcomes)":\s*("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    JSON.parse(text!),
  )
  expect(texts.length).toBeGreaterThan(500)
  expect(await missing(...new Set<string>(texts))).toEqual([])
})

test('what nothing draws is one ellipsis, and is reported', async () => {
  const written = 'Is 𒀀𒀁 𒀂 a word?'
  const { texts, missing: lacking } = await drawable([written])
  expect(texts.get(written)).toBe('Is … a word?')
  expect(lacking).toEqual(['𒀀', '𒀁', '𒀂'])
})

test('an emoji that has no image of its own is drawn by its parts', async () => {
  const { texts, emoji } = await drawable(['🐨‍🏆'])
  expect([...texts.values()]).toEqual(['🐨🏆'])
  expect(Object.keys(emoji)).toEqual(['🐨', '🏆'])
})

test.each([
  ['Rain?', 'ltr'],
  ['2026: هل', 'rtl'],
  ['«האם» Israel', 'rtl'],
  ['53%', 'ltr'],
])('the direction of %j is %s', (text, direction) => {
  expect(directionOfText(text)).toBe(direction)
})

const site = pictureSite({ blobs: { get: async () => null, put: async () => {} } }, { name: 'Augury', icons: { small: '', large: '' } })
const area = async (title: string) =>
  sharp(await drawSharePicture({ site, title, rows: [], foot: '' }))
    .extract({ left: 60, top: 120, width: 1080, height: 140 })
    .greyscale()
    .raw()
    .toBuffer()

test.each([
  ['صصصص', 'كككك'],
  ['कककक', 'खखखख'],
  ['高高高', '安安安'],
  ['🏆🏆', '🐨🐨'],
])('%s and %s give two pictures', async (one, other) => {
  const [first, second] = [await area(one), await area(other)]
  expect(first.equals(second)).toBe(false)
})
