import { expect, test } from 'vitest'
import { guides } from '../src/lib/server/guides.ts'

test('names in tables of the guides may break between their words, and nowhere else in the text', () => {
  const html = guides.find(({ slug }) => slug === 'refusals')!.html
  expect(html).toContain('<code>service_<wbr>unavailable</code>')
  expect(html.replace(/<td>.*?<\/td>/g, '')).not.toContain('<wbr>')
  for (const guide of guides) expect(guide.html).not.toMatch(/<a [^>]*<wbr>/)
})
