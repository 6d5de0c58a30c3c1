import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closingLine, tallyOfOne, tallyOfPlaywright, tallyOfVitest } from '../src/tally.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-tally-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const file = (status: string, tests: [status: string, name: string][], message = '') => ({
  name: 'book.test.ts',
  status,
  message,
  assertionResults: tests.map(([status, fullName]) => ({
    status,
    fullName,
    failureMessages: status === 'passed' && !fullName.includes('second try') ? [] : ['expected 1 to be 2'],
  })),
})
const spec = (status: string) => ({
  title: `a ${status} journey`,
  ok: true,
  file: 'home.spec.ts',
  tests: [{ status, results: [{ error: { message: 'no such button' } }] }],
})

test('a linter counts as one', () => {
  expect(tallyOfOne('lint', { code: 0, output: '' })).toEqual({ passed: 1, failed: 0, names: [], details: [] })
  expect(tallyOfOne('lint', { code: 1, output: 'unused' })).toEqual({ passed: 0, failed: 1, names: ['lint'], details: ['lint\nunused'] })
})

test.each([
  [
    'all is well',
    {
      testResults: [
        file('passed', [
          ['passed', 'fills'],
          ['passed', 'rests'],
        ]),
      ],
    },
    0,
    2,
    0,
    '',
  ],
  [
    'one fails',
    {
      testResults: [
        file('failed', [
          ['passed', 'fills'],
          ['failed', 'rests'],
        ]),
      ],
    },
    1,
    1,
    1,
    'rests\nexpected 1 to be 2',
  ],
  [
    'a file does not load',
    { testResults: [file('passed', [['passed', 'fills']]), file('failed', [], 'no such module')] },
    1,
    1,
    1,
    'no such module',
  ],
  ['an error comes after the tests', { testResults: [file('passed', [['passed', 'fills']])] }, 1, 1, 1, 'vitest\nended with 1'],
  ['nothing ran', { testResults: [] }, 0, 0, 1, 'vitest\nended with 0'],
  ['there is no report', undefined, 139, 0, 1, 'Segmentation fault'],
])('vitest: %s', (_, content, code, passed, failed, words) => {
  const path = content === undefined ? join(folder, 'none.json') : report(content)
  const tally = tallyOfVitest(path, { code, output: 'Segmentation fault' })
  expect({ passed: tally.passed, failed: tally.failed }).toEqual({ passed, failed })
  expect(tally.details.join('\n')).toContain(words)
  expect(tally.details).toHaveLength(failed)
  expect(tally.names).toHaveLength(failed)
})

test('vitest: what passes at the second try passes and is named', () => {
  const tests: [string, string][] = [
    ['passed', 'fills'],
    ['passed', 'rests at the second try'],
  ]
  const { passed, failed, names, details } = tallyOfVitest(report({ testResults: [file('passed', tests)] }), { code: 0, output: '' })
  expect({ passed, failed }).toEqual({ passed: 2, failed: 0 })
  expect(names).toEqual(['passed when tried again: book.test.ts › rests at the second try'])
  expect(details).toEqual(['passed when tried again: book.test.ts › rests at the second try\nexpected 1 to be 2'])
})

test('playwright: journeys are counted in nested suites; what passes at the second try passes and is named', () => {
  const suites = [{ specs: [spec('expected')], suites: [{ specs: [spec('expected'), spec('unexpected'), spec('flaky')] }] }]
  const { passed, failed, names, details } = tallyOfPlaywright(report({ suites }), { code: 1, output: '' })
  expect({ passed, failed }).toEqual({ passed: 3, failed: 1 })
  expect(names).toEqual(['home.spec.ts › a unexpected journey', 'passed when tried again: home.spec.ts › a flaky journey'])
  expect(details).toEqual([
    'home.spec.ts › a unexpected journey\nno such button',
    'passed when tried again: home.spec.ts › a flaky journey\nno such button',
  ])
})

test('playwright: an error outside of every journey is a failure', () => {
  const { details } = tallyOfPlaywright(report({ suites: [{ specs: [spec('expected')] }], errors: [{ message: 'no browser' }] }), {
    code: 1,
    output: '',
  })
  expect(details).toEqual(['playwright\nno browser'])
})

test('a run closes with one line', () => {
  expect(
    closingLine([
      { passed: 2, failed: 0, names: [], details: [] },
      { passed: 1, failed: 3, names: [], details: [] },
    ]),
  ).toBe('3 passed, 3 failed')
})
