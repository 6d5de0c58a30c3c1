import { expect, test } from 'vitest'
import type { Site } from '../src/site/site.ts'
import { siteNeeds } from '../src/site/site-needs.ts'

const here = async () => []
const away = () => Promise.reject(new Error('connection refused'))
const silent = () => new Promise<never>(() => {})

test.each([
  ['both are there', here, here, { database: true, exchange: true }],
  ['the database is away', away, here, { database: false, exchange: true }],
  ['the exchange is away', here, away, { database: true, exchange: false }],
  ['one never answers, and the other is not held up', silent, here, { database: false, exchange: true }],
])('%s', async (_, execute, getReadyz, needs) => {
  const site = { em: () => ({ execute }), exchange: { anybody: { getReadyz } } } as unknown as Site
  expect(await siteNeeds(site)).toEqual(needs)
})
