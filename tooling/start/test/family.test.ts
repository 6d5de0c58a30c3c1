import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'augury-family-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node start.mjs' } }))
writeFileSync(
  join(folder, 'start.mjs'),
  `import { whenStarterEnds } from ${JSON.stringify(new URL('../family.mjs', import.meta.url).href)}
  process.on('SIGTERM', () => {}) // what npm's shell may pass on is not what is tested
  whenStarterEnds(() => { console.log('told'); process.exit() })
  console.log('runs as', process.pid)
  setInterval(() => {}, 1000)`,
)

test.each(['SIGKILL', 'SIGTERM'] as const)('a program hears that the npm that started it ended by %s', async (signal) => {
  const shell = startChild('sh', ['-c', 'npm start & echo "npm is $!"; sleep 60'], { cwd: folder })
  await shell.waitFor(/runs as \d+/)
  const [, npm] = await shell.waitFor(/npm is (\d+)/)
  process.kill(Number(npm), signal)
  await shell.waitFor(/told/)
  await shell.stop()
})

test('a program that no package manager started is left alone', async () => {
  const shell = startChild('sh', ['-c', '(node start.mjs &); sleep 1'], { cwd: folder })
  await shell.waitFor(/runs as/)
  await shell.ended
  expect(shell.output()).not.toContain('told')
})
