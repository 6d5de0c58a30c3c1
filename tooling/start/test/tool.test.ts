import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { temporaryFolder } from '@augury/testing/temporary-folder'
import { expect, test } from 'vitest'

const tool = join(import.meta.dirname, '../src/tool.ts')

test('a tool ends with its parent, and ends the children to which it gave groups of their own', async () => {
  const logs = temporaryFolder('tool')
  const child = 'const { spawn } = require("node:child_process"); const child = spawn("sleep", ["600"], { detached: true })'
  const script = `${child}; process.on("SIGTERM", () => { child.kill(); process.exit() }); console.log("child", child.pid)`
  const command = JSON.stringify([process.execPath, '-e', script])
  const runner = startChild(process.execPath, [
    '--input-type=module',
    '-e',
    `import { runTool } from ${JSON.stringify(tool)}; import { readFileSync } from 'node:fs'
     void runTool({ name: 'turbo', command: ${command}, cwd: '/' }, ${JSON.stringify(logs)})
     setInterval(() => { try { console.log(readFileSync(${JSON.stringify(join(logs, 'turbo.log'))}, 'utf8')) } catch {} }, 50)`,
  ])
  const [, pid] = await runner.waitFor(/child (\d+)/)
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  await runner.stop('SIGKILL')
  await eventually(() => expect(existsSync(`/proc/${pid}`)).toBe(false))
})
