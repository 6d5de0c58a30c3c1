import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('what a build of the site writes is no input of the next, so the second start builds nothing', () => {
  const { inputs } = JSON.parse(read('turbo.json')).tasks.build
  // Inlang writes it while the site is built, and turbo counts it although git ignores it.
  expect(inputs).toContain('!project.inlang/.gitignore')
  expect(inputs[0]).toBe('$TURBO_DEFAULT$')
})
