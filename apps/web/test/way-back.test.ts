import { expect, test } from 'vitest'
import { wayBack } from '../src/lib/server/way-back.ts'

test.each([
  ['https://site.test/portfolio?tab=orders', '/portfolio?tab=orders'],
  ['https://site.test/es/event/rain', '/event/rain'],
  ['https://site.test/es', '/'],
  ['https://evil.test/portfolio', '/saved'],
  ['https://site.test//evil.test', '/saved'],
  ['https://site.test/es//evil.test/a?b', '/saved'],
  ['https://site.test/.//evil.test', '/saved'],
  ['no address', '/saved'],
  [undefined, '/saved'],
])('from %s a form leads back to %s', (referer, path) => {
  const request = new Request('https://site.test/appearance', { headers: referer === undefined ? {} : { referer } })
  expect(wayBack(request, new URL(request.url), '/saved')).toBe(path)
})
