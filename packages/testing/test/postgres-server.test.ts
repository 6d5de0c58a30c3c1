import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startChild } from '../src/child-process.ts'
import { query } from '../src/connection.ts'
import { freePort } from '../src/free-port.ts'
import { postgresUser } from '../src/postgres-binaries.ts'
import { postgresServer } from '../src/postgres-server.ts'
import { startThrowawayServer } from '../src/throwaway-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-server-test-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

test('a durable server keeps its rows over stop, crash and a stale pid file, and is used again when it runs', async () => {
  const server = await startThrowawayServer({ durable: true })
  const url = server.url('postgres')
  expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }])
  expect(await query(url, 'show min_wal_size')).toEqual([{ min_wal_size: '1GB' }])
  await query(url, 'create table fill (lots int); insert into fill values (3)')

  const running = server.pid()
  await server.start()
  expect(server.pid()).toBe(running)

  await server.stop('immediate')
  await server.stop()
  writeFileSync(join(server.dataDir, 'postmaster.pid'), `${process.pid}\n`) // as if another program had the pid now
  await server.start()
  expect(await query(url, 'select lots from fill')).toEqual([{ lots: 3 }])

  await server.remove()
  expect(existsSync(server.dataDir)).toBe(false)
})

test.each([
  ['another version', { PG_VERSION: '17\n' }, 'is of PostgreSQL 17, not 18'],
  ['half a cluster', { PG_VERSION: '18\n' }, 'is not a complete PostgreSQL cluster'],
  ['something else', { 'holiday.jpg': '' }, 'is not a complete PostgreSQL cluster'],
])('a data folder that holds %s is refused with what to do, and left as it is', async (name, files, complaint) => {
  const dataDir = mkdtempSync(join(folder, `${name.replaceAll(' ', '-')}-`))
  for (const [file, content] of Object.entries(files)) writeFileSync(join(dataDir, file), content)
  const server = postgresServer({ dataDir, port: await freePort(), durable: false })
  await expect(server.start()).rejects.toThrow(complaint)
  await expect(server.start()).rejects.toThrow('npm start -- --reset')
  expect(Object.keys(files).every((file) => existsSync(join(dataDir, file)))).toBe(true)
})

test('a killed process takes its throw-away server and data with it', async () => {
  const source = `
    import { startThrowawayServer } from ${JSON.stringify(new URL('../src/throwaway-server.ts', import.meta.url).href)}
    const server = await startThrowawayServer()
    console.log('server', server.pid(), server.dataDir)
    setInterval(() => {}, 1000)`
  const owner = startChild(process.execPath, ['--input-type=module', '-e', source])
  const [, pid, dataDir] = await owner.waitFor(/server (\d+) (\S+)/)
  await owner.stop('SIGKILL')
  while (existsSync(`/proc/${pid}`) || existsSync(dirname(dataDir!))) await new Promise((resolve) => setTimeout(resolve, 20))
})

test('a copy that root made without its owners is refused with what to do', async () => {
  const server = await startThrowawayServer({ durable: true })
  await server.stop()
  const dataDir = join(folder, 'copy')
  cpSync(server.dataDir, dataDir, { recursive: true })
  await server.remove()
  const copy = postgresServer({ dataDir, port: await freePort(), durable: true })
  if (postgresUser) return expect(copy.start()).rejects.toThrow(`chown -R ${postgresUser.uid}:${postgresUser.gid} ${dataDir}`)
  await copy.start() // a user other than root owns the copy
  await copy.stop()
})
