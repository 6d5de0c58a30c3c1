import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { expect, test } from 'vitest'

test.each([
  ['run.ts', ['--seeds', 'many'], '--seeds needs a number, not many'],
  ['run.ts', ['--minutes', ''], '--minutes needs a number'],
  ['run.ts', ['--seed', '0x'], '--seed needs a number'],
  ['run.ts', ['--ground', 'rule'], 'there is no ground rule'],
  ['run-night.ts', ['--hours', '8h'], '--hours needs a number, not 8h'],
])('%s %j is refused, as it would check nothing', async (program, args, sentence) => {
  const child = startChild(process.execPath, [join(import.meta.dirname, '../src', program), ...args])
  expect([await child.ended, child.output()]).toEqual([1, expect.stringContaining(sentence)])
})
