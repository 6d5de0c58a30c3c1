import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { problems } from '../src/commands.ts'
import { readCommand } from '../src/documents.ts'
import { root } from '../src/sources.ts'

// Workflows, templates and editor settings run elsewhere. This is what can be checked of them here.
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string }

interface Step {
  uses?: string
  run?: string
}
interface Job {
  permissions?: object
  'timeout-minutes': number
  steps: Step[]
}
interface Workflow {
  permissions: object
  jobs: Record<string, Job>
}

describe.each(globSync('.github/workflows/*.yaml', { cwd: root }))('%s', (path) => {
  const workflow = parse(read(path)) as Workflow
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  test('says that it has not run', () => expect(read(path).split('\n')[0]).toContain('has not run yet'))

  test('may read only, but for what a job needs, and ends in time', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(120)
  })

  test('actions are pinned to a commit, with the version beside it', () => {
    const used = [...read(path).matchAll(/uses: (.*)/g)].map(([, action]) => action!)
    expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('commands are scripts and programs of this repository', () => {
    const lines = steps.flatMap(({ run }) => run ?? [])
    const own = lines.filter((line) => /^npm (test|run)\b/.test(line)).map((line) => readCommand(line)!)
    expect(own.flatMap((command) => problems(command))).toEqual([])
    for (const [version] of lines.join('\n').matchAll(/pnpm@[\d.]+/g)) expect(version).toBe(packageManager)
  })

  test('checks that it names are checks of npm test', () => {
    const known = [...read('tooling/start/src/test.ts').matchAll(/^ {2}\['([\w ]+)',/gm)].map(([, name]) => name!)
    const named = steps.flatMap(({ run = '' }) => (run.startsWith('npm test -- ') ? readCommand(run)!.args.slice(2) : []))
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('files that it names exist', () => {
    const files = [...read(path).matchAll(/file: ([\w./-]+)/g)].map(([, file]) => file!)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })
})

test('the checks of a pull request are all checks of npm test', () => {
  const known = [...read('tooling/start/src/test.ts').matchAll(/^ {2}\['([\w ]+)',/gm)].map(([, name]) => name!)
  const { jobs } = parse(read('.github/workflows/check.yaml')) as Workflow
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  const named = runs.flatMap((run) => (run.startsWith('npm test -- ') ? readCommand(run)!.args.slice(2) : []))
  expect(named.sort()).toEqual(known.sort())
})

test.each(globSync('.github/ISSUE_TEMPLATE/{bug,feature}.yml', { cwd: root }))('%s is a form', (path) => {
  const form = parse(read(path)) as { name: string; description: string; body: { type: string; attributes: object }[] }
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
  for (const field of form.body) expect(field).toMatchObject({ type: expect.stringMatching(/^(markdown|textarea|input)$/) })
})

test('dependency updates cover packages, actions and the image', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { 'package-ecosystem': string; directory: string }[] }
  expect(updates.map((each) => each['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker'])
  for (const { directory } of updates) expect(existsSync(join(root, directory))).toBe(true)
})

test('settings of editors are JSON, and the container has the Node and pnpm of the image', () => {
  for (const path of ['.vscode/settings.json', '.vscode/extensions.json']) expect(JSON.parse(read(path))).toBeTypeOf('object')
  const { image, postCreateCommand } = JSON.parse(read('.devcontainer/devcontainer.json')) as Record<string, string>
  expect(read('deploy/Dockerfile')).toContain(`FROM ${image}-slim`)
  expect(postCreateCommand).toContain(packageManager)
})
