import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const [, platform = '', clob = ''] = readFileSync(join(root, 'docs/operations/growth.md'), 'utf8').split(/^## Database .*$/m)
const listed = (text: string) => [
  ...new Set([...text.split('\n## ')[0]!.matchAll(/^\|.*\|$/gm)].flatMap(([row]) => [...row.matchAll(/`(\w+)`/g)]).map(([, name]) => name)),
]

test.each([
  ['platform', platform, new Set(['cleaning'])],
  ['clob', clob, new Set<string>()],
])('every table of %s is in the list of what grows, and no other', (name, text, others) => {
  const schema = JSON.parse(readFileSync(join(root, `packages/domain/src/${name}/migrations/schema.json`), 'utf8'))
  // Two schemas of a database may have tables of one name.
  const tables = [...new Set<string>(schema.tables.map((table: { name: string }) => table.name))]
  expect(
    listed(text)
      .filter((each) => !others.has(each!))
      .sort(),
  ).toEqual(tables.sort())
})
