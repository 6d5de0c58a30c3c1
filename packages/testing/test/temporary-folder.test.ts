import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startChild } from '../src/child-process.ts'
import { isReachable } from '../src/postgres-binaries.ts'
import { temporaryFolder } from '../src/temporary-folder.ts'

test('each folder is new and empty', () => {
  const [first, second] = [temporaryFolder('book'), temporaryFolder('book')]
  expect(first).not.toBe(second)
  expect(readdirSync(first)).toEqual([])
  expect(isReachable(first)).toBe(true)
})

test('a folder is removed with the process that made it, killed or not', async () => {
  const source = `
    import { temporaryFolder } from ${JSON.stringify(new URL('../src/temporary-folder.ts', import.meta.url).href)}
    console.log('folder', temporaryFolder('book'))
    setInterval(() => {}, 1000)`
  const owner = startChild(process.execPath, ['--input-type=module', '-e', source])
  const [, folder] = await owner.waitFor(/folder (\S+)/)
  expect(existsSync(folder!)).toBe(true)
  await owner.stop('SIGKILL')
  while (existsSync(folder!)) await new Promise((resolve) => setTimeout(resolve, 20))
})
