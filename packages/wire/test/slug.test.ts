import { expect, test } from 'vitest'
import { slugOf } from '../src/platform/slug.ts'

test.each([
  ['Which door opens first?', 150, 'which-door-opens-first'],
  ['Économie & Société', 80, 'economie-societe'],
  ['  --  ', 80, ''],
  ['one two', 4, 'one'],
  ['نعم', 80, ''],
])('“%s” in %i characters is “%s” in an address', (text, most, slug) => expect(slugOf(text, most)).toBe(slug))
