import { expect, test } from 'vitest'
import { variables, variablesTable } from '../src/variables.ts'

test('the table for the documentation has every variable, its default and its meaning', () => {
  const lines = variablesTable().split('\n')
  expect(lines).toHaveLength(Object.keys(variables).length + 2)
  expect(lines.find((line) => line.includes('`COMPAT_AUTH`'))).toMatch(/sandbox: `1`; production: `0`/)
  expect(lines.find((line) => line.includes('`KEY_RING`'))).toMatch(/production: required/)
})

test('every default is one that its own schema takes', () => {
  for (const [name, { schema, fallback }] of Object.entries(variables)) {
    const texts = Object.values(fallback).filter((text): text is string => typeof text === 'string' && !text.includes('{'))
    for (const text of texts) expect([name, schema.safeParse(text).success]).toEqual([name, true])
  }
})

test('the page for operators has the table as it is; `vitest run --project settings -u` writes it', async () => {
  const page = `# Environment\n\nEvery variable that a program of Augury reads, from \`packages/settings/src/variables.ts\`.\n\n${variablesTable()}\n`
  await expect(page).toMatchFileSnapshot('../../../docs/operations/environment.md')
})
