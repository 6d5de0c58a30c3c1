import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { postgresUser } from '@augury/testing/postgres-binaries'
import { expect, onTestFinished, test } from 'vitest'
import { claimDataFolder, makeDataFolder, postgresFolder, removeData } from '../src/data-folder.ts'

function folder(mode: number): string {
  const parent = mkdtempSync(join(tmpdir(), 'augury-data-'))
  chmodSync(parent, mode)
  const dataDir = join(parent, 'data')
  makeDataFolder(dataDir)
  onTestFinished(() => {
    removeData(dataDir)
    rmSync(parent, { recursive: true })
  })
  return dataDir
}

test('the database lies in the data folder wherever its user may go', () => {
  const dataDir = folder(0o755)
  expect(postgresFolder(dataDir)).toBe(join(dataDir, 'postgres'))
})

test('root keeps the database of a private data folder outside, the same each time, until the data folder is made anew', () => {
  const dataDir = folder(0o700)
  const outside = postgresFolder(dataDir)
  if (postgresUser === null) return expect(outside).toBe(join(dataDir, 'postgres'))
  expect(outside).toMatch(/^\/var\/tmp\/augury-/)
  mkdirSync(outside)
  expect(postgresFolder(dataDir)).toBe(outside)
  expect(existsSync(outside)).toBe(true)

  rmSync(dataDir, { recursive: true })
  makeDataFolder(dataDir)
  expect(postgresFolder(dataDir)).toBe(outside)
  expect(existsSync(outside)).toBe(false)
})

test('beginning anew removes what a start made and nothing else', () => {
  const dataDir = folder(0o755)
  for (const name of ['postgres', 'secrets', 'logs', 'uploads', 'holiday']) mkdirSync(join(dataDir, name))
  removeData(dataDir)
  expect(readdirSync(dataDir)).toEqual(['holiday'])
})

test('a data folder that is released is as it was', async () => {
  const dataDir = folder(0o755)
  const release = await claimDataFolder(dataDir)
  expect(readFileSync(join(dataDir, 'start.pid'), 'utf8')).toBe(String(process.pid))
  await expect(claimDataFolder(dataDir)).rejects.toThrow(`Augury runs already on this data folder (process ${process.pid}`)
  release()
  expect(readdirSync(dataDir)).toEqual([])
})

/** Processes that claim a data folder by these paths at the same moment, and what each said. */
async function contest(dataDir: string, paths: string[]) {
  const source = `
    import { existsSync } from 'node:fs'
    import { claimDataFolder } from ${JSON.stringify(new URL('../src/data-folder.ts', import.meta.url).href)}
    console.log('waits')
    while (!existsSync(${JSON.stringify(join(dataDir, 'go'))}));
    await claimDataFolder(process.argv[1]).then(() => console.log('has it'), (error) => console.log(error.message))
    setInterval(() => {}, 1000)`
  const starts = paths.map((path) => startChild(process.execPath, ['--input-type=module', '-e', source, path]))
  await Promise.all(starts.map((start) => start.waitFor(/waits/)))
  writeFileSync(join(dataDir, 'go'), '')
  const said = await Promise.all(starts.map(async (start) => (await start.waitFor(/has it|runs already/))[0]))
  return { said: said.sort(), winner: starts.find((start) => start.output().includes('has it'))!, starts }
}

test('a data folder belongs to one start at a time, whatever its path; what a killed one left is taken over', async () => {
  const dataDir = folder(0o755)
  writeFileSync(join(dataDir, 'start.pid'), '1') // of a killed one whose pid another program has by now
  const link = join(dataDir, '../link')
  symlinkSync(dataDir, link)
  const { said, winner, starts } = await contest(dataDir, [dataDir, link, `${dataDir}/`, dataDir])
  expect(said).toEqual(['has it', 'runs already', 'runs already', 'runs already'])
  await expect(claimDataFolder(link)).rejects.toThrow(`Augury runs already on this data folder (process ${winner.pid}`)
  await winner.stop('SIGKILL')
  expect(existsSync(join(dataDir, 'start.pid'))).toBe(true)
  const release = await claimDataFolder(dataDir)
  release()
  await Promise.all(starts.map((start) => start.stop()))
})
