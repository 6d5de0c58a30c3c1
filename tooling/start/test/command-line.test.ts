import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test.each([
  ['test.ts', 'type', 'There is no check “type”. There are: “lint”, “types”, “types of the site”'],
  ['test.ts', 'packages/engin', 'There is no check “packages/engin”.'],
  ['start.ts', '--rest', 'There is no --rest here, only --reset'],
  ['dev.ts', '--rest', 'There is no --rest here, only --reset'],
])('%s does nothing when it is asked for %s, which there is not', async (program, word, sentence) => {
  const child = startChild(process.execPath, [join(root, 'tooling/start/src', program), word], {
    cwd: root,
    env: { DATA_DIR: temporaryFolder('command-line') },
  })
  expect([await child.ended, child.output()]).toEqual([1, expect.stringContaining(sentence)])
})
