import { expect, test } from 'vitest'
import { readSources } from '../src/sources.ts'

/** Words that hide who does what: a process sends, a member reads, an operator decides. `nobody` is also a user of Unix. */
const VAGUE = /\b(whoever|somebody|nobody|(is|are) told)\b/i

test('texts name who does what', () => {
  const vague = readSources().flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (VAGUE.test(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 140)}`] : [])),
  )
  expect(vague.length, vague.join('\n')).toBeLessThanOrEqual(100)
})
