import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { conditionRequest } from '@augury/testing/condition-request'
import { expect, test } from 'vitest'
import { waitForSite } from '../src/site-figures.ts'

test('volumes are compared with those of the events that were registered, as a site lists them', async () => {
  const slugs = ['load-0', 'load-1']
  const events = slugs.map((slug, n) => ({ ...conditionRequest(slug).metadata.event, volume: n + 0.5 }))
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://site')
    const word = url.searchParams.get('search')
    const volumes = slugs.map((slug, n) => ({ condition_id: slug, volume: String(n + 0.5) }))
    // A site finds events by their titles.
    response.end(JSON.stringify(url.pathname === '/data/volumes' ? volumes : events.filter(({ title }) => title === word)))
  }).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const markets = slugs.map((slug) => ({ slug, condition: slug, yes: '', no: '' }))
    const { wrong } = await waitForSite({ site: url, exchange: url }, { markets })
    expect(wrong).toEqual([])
  } finally {
    server.close()
  }
})
