import { expect, test } from 'vitest'
import { apiReference } from '../src/lib/server/api-reference.ts'
import { load } from '../src/routes/docs/+page.server.ts'

const settings = { publicClobUrl: 'https://clob.example', origin: 'https://m.example', mode: 'sandbox' }

test('a search of the docs leaves out nothing that fits', async () => {
  const fits = apiReference(settings).filter(({ call, summary }) => /o/i.test(`${call.name} ${call.path} ${summary}`))
  expect(fits.length).toBeGreaterThan(40)
  const answer = await load({ locals: { settings }, url: new URL('https://m.example/docs?q=o') } as never)
  const found = (answer as { found: { href: string }[] }).found.map(({ href }) => href)
  expect(found).toEqual(expect.arrayContaining(fits.map(({ slug }) => `/docs/api/${slug}`)))
})
