import { expect, test } from 'vitest'
import { isCode, isTest, readSources } from '../src/sources.ts'
import { sqlTexts } from '../src/sql.ts'

/** Statements in SQL text that each folder has left. These numbers only go down: see ADR 0040. */
const LEFT = {
  'apps/settler/src': 25,
  'apps/web/src': 2,
  'packages/domain/src': 9,
  'packages/platform/src': 118,
  'packages/venue/src': 129,
}

const sources = readSources().filter((source) => isCode(source) && !isTest(source) && !source.path.includes('/migrations/'))

test.each(Object.entries(LEFT))('%s has no new statement in SQL text', (folder, left) => {
  const files = sources.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path, text }) => [path, sqlTexts(text)] as const)
  const found = files.filter(([, count]) => count > 0)
  const total = found.reduce((sum, [, count]) => sum + count, 0)
  expect(total, found.map(([path, count]) => `${count} ${path}`).join('\n')).toBeLessThanOrEqual(left)
})

test.each([
  ["em.execute('select 1')", 1],
  ['pool.query<Row>({ text, values })', 1],
  ['em.execute(\n  `select 1`,\n)', 1],
  ['tables(em).selectFrom("users").select("id").execute()', 0],
])('%s has %d', (text, count) => {
  expect(sqlTexts(text)).toBe(count)
})
