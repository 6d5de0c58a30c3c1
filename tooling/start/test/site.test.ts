import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
/** Written by the first build of the site, which is why a fresh checkout has none. */
const made = 'project.inlang/.gitignore'

test.runIf(existsSync(join(root, '.git')))(
  'what a build of the site writes is no input of the next, so the second start builds nothing',
  () => {
    const command = [join(root, 'node_modules/.bin/turbo'), ['run', 'build', '--filter=@augury/web', '--dry=json']] as const
    const { tasks } = JSON.parse(execFileSync(...command, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    const site = tasks.find(({ taskId }: { taskId: string }) => taskId === '@augury/web#build')
    expect(Object.keys(site.inputs)).toContain('project.inlang/settings.json')
    expect(Object.keys(site.inputs)).not.toContain(made)
  },
)
