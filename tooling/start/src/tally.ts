import { existsSync, readFileSync } from 'node:fs'

/** The result of a test runner. */
export interface Tally {
  passed: number
  failed: number
  /** A line for each failure, and for each test that passed only on retry: long logs are cut, and what failed has to be known. */
  names: string[]
  /** What the runner said of them. */
  details: string[]
}

const empty = (): Tally => ({ passed: 0, failed: 0, names: [], details: [] })

/** A tool that either passes or fails as a whole, such as a linter. */
export function tallyOfOne(name: string, { code, output }: { code: number | null; output: string }): Tally {
  const tally = empty()
  if (code === 0) tally.passed = 1
  else fail(tally, name, lastLines(output))
  return tally
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/**
 * Reads vitest's JSON report. A file that could not be loaded, and a run that failed without a failed test, count as one failure. A test
 * that passed only on retry counts as passed, and is named.
 */
export function tallyOfVitest(reportPath: string, run: { code: number | null; output: string }): Tally {
  const tally = empty()
  const files = readJson<VitestReport>(reportPath)?.testResults ?? []
  const tests = files.flatMap(({ name: file, assertionResults }) => assertionResults.map((test) => ({ file, ...test })))
  tally.passed = tests.filter(({ status }) => status === 'passed').length
  for (const { file, status, fullName, failureMessages } of tests)
    if (status === 'failed') fail(tally, `${file} › ${fullName}`, failureMessages.join('\n'))
  for (const { name, status, message, assertionResults } of files)
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) fail(tally, name, message)
  // Its own output shows diffs, which the report does not have.
  const told = run.output.search(/⎯+ ?Failed (Tests|Suites)/)
  if (tally.failed > 0 && told >= 0) tally.details = [run.output.slice(told).trimEnd()]
  for (const { file, status, fullName, failureMessages } of tests)
    if (status === 'passed' && failureMessages.length > 0) tell(tally, again(`${file} › ${fullName}`), failureMessages.join('\n'))
  return whole('vitest', tally, run)
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: { title: string; ok: boolean; file: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }[]
}

/** Reads Playwright's JSON report. A journey that passed only on retry counts as passed, and is named. */
export function tallyOfPlaywright(reportPath: string, run: { code: number | null; output: string }): Tally {
  const report = readJson<{ suites: PlaywrightSuite[]; errors?: { message?: string }[] }>(reportPath)
  const tally = empty()
  const visit = ({ suites = [], specs }: PlaywrightSuite) => {
    for (const { title, file, tests } of specs) {
      for (const { status, results } of tests) {
        const name = `${file} › ${title}`
        const words = results.map(({ error }) => error?.message ?? '').join('\n')
        if (status === 'expected' || status === 'flaky') tally.passed++
        else if (status !== 'skipped') fail(tally, name, words)
        if (status === 'flaky') tell(tally, again(name), words)
      }
    }
    suites.forEach(visit)
  }
  report?.suites.forEach(visit)
  for (const { message } of report?.errors ?? []) fail(tally, 'playwright', message ?? 'failed')
  return whole('playwright', tally, run)
}

/** The line that closes a run. */
export const closingLine = (tallies: Tally[]): string => {
  const sum = (key: 'passed' | 'failed') => tallies.reduce((total, tally) => total + tally[key], 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}

/** A runner that exited with an error, or found nothing to run, has failed even if no test says so. */
function whole(name: string, tally: Tally, { code, output }: { code: number | null; output: string }): Tally {
  if (tally.failed === 0 && (code !== 0 || tally.passed === 0)) fail(tally, name, `ended with ${code}:\n${lastLines(output)}`)
  return tally
}

function fail(tally: Tally, name: string, words: string): void {
  tally.failed++
  tell(tally, name, words)
}

function tell(tally: Tally, name: string, words: string): void {
  tally.names.push(name)
  tally.details.push(`${name}\n${words}`)
}

const again = (name: string) => `passed when tried again: ${name}`

const readJson = <Report>(path: string): Report | null => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : null)

const lastLines = (output: string) => output.trimEnd().split('\n').slice(-60).join('\n')
