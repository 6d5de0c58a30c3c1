import { resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { measure } from '../scripts/budgets.ts'

test('what pages load before they work stays within its budget', async () => {
  const sizes = await measure(resolve(import.meta.dirname, '..'))
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.filter(({ bytes, limit }) => bytes > limit)).toEqual([])
})
