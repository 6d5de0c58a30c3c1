import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type SiteFacts, siteMetrics } from '../src/site-metrics.ts'

const facts: SiteFacts = { needs: async () => ({ database: true, exchange: false }), redis: () => false }

test('what a site answered is counted by what was asked for and its status, with what it needs', async () => {
  const metrics = siteMetrics(facts)
  const server = createServer((incoming, outgoing) => {
    metrics.count(incoming, outgoing)
    if (incoming.url === '/api/events') outgoing.writeHead(500, { 'content-type': 'text/plain' })
    outgoing.end('answer')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  for (const path of ['/', '/event/x', '/api/events', '/_app/immutable/x.js', '/admin/system', '/admin/api/events', '/icon.png?x'])
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text()
  const text = await metrics.text()
  for (const line of [
    'augury_site_answers_total{kind="page",status="200"} 2',
    'augury_site_answers_total{kind="api",status="500"} 1',
    'augury_site_answers_total{kind="admin",status="200"} 2',
    'augury_site_answers_total{kind="file",status="200"} 2',
    'augury_site_answer_seconds_count{kind="page"} 2',
    'augury_site_need{need="database"} 1',
    'augury_site_need{need="exchange"} 0',
    'augury_redis_up 0',
  ])
    expect(text.split('\n')).toContain(line)
})

test('a site without Redis has no figure of it', async () => {
  expect(await siteMetrics({ ...facts, redis: () => null }).text()).not.toContain('augury_redis_up')
})
