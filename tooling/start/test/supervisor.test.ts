import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '@augury/testing/child-process'
import { eventually } from '@augury/testing/eventually'
import { freePort, isFree } from '@augury/testing/free-port'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { supervisor } from '../src/supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'augury-supervisor-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A server that answers 503 until it was asked twice, then 200; GET /die ends it. */
function server(port: number, name = 'book') {
  const source = `
    let asked = 0
    require('node:http').createServer((request, response) => {
      if (request.url === '/die') { console.error('the book is on fire'); process.exit(7) }
      response.writeHead(++asked > 2 ? 200 : 503).end()
    }).listen(${port}, '127.0.0.1')
    process.on('SIGTERM', () => { console.log('closed in order'); process.exit(0) })`
  return { name, command: [process.execPath, '-e', source] as [string, ...string[]], cwd: folder, readyUrl: `http://127.0.0.1:${port}/` }
}

const untilGone = async (pid: string) => {
  while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a service is waited for until it works, and stopped in order', async () => {
  const port = await freePort()
  const logs = join(folder, 'in-order')
  const programs = supervisor({ logs, echo: false, onEnd: () => expect.unreachable() })
  await programs.start(server(port))
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  await programs.stop()
  expect(await isFree(port)).toBe(true)
  expect(readFileSync(join(logs, 'book.log'), 'utf8')).toBe('closed in order\n')
})

test('a service without an address is waited for until it says that it is ready', async () => {
  const programs = supervisor({ logs: join(folder, 'words'), echo: false, onEnd: () => expect.unreachable() })
  const said = join(folder, 'said')
  const command: [string, ...string[]] = ['sh', '-c', `sleep 0.3; touch ${said}; printf 'quoting 4'; printf '48 markets\n'; sleep 60`]
  await programs.start({ name: 'bot', command, cwd: folder, readyWords: /^quoting \d+ markets$/m })
  expect(existsSync(said)).toBe(true)
  await programs.stop()
})

test('a service that runs and is not ready is waited for, and that is said now and then', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const programs = supervisor({ logs: join(folder, 'late'), echo: false, onEnd: () => expect.unreachable(), tellAfterMs: 20 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const start = programs.start({ name: 'late', command: ['sh', '-c', 'echo building; sleep 60'], cwd: folder, prepare: () => promise })
  await eventually(() => expect(said.mock.calls.flat().join()).toMatch(/late is not ready after .* s\. .*waited for.*building/s))
  resolve()
  await start
  await programs.stop()
})

test('a service whose log cannot be written runs, and its last lines are printed', async () => {
  const port = await freePort()
  const logs = join(folder, 'full')
  mkdirSync(logs)
  symlinkSync('/dev/full/book.log', join(logs, 'book.log'))
  const ended = Promise.withResolvers<string>()
  const programs = supervisor({ logs, echo: false, onEnd: ended.resolve })
  await programs.start(server(port))
  await fetch(`http://127.0.0.1:${port}/die`).catch(() => {})
  expect(await ended.promise).toMatch(/\nthe book is on fire$/)
})

test('a service that ends by itself is named, with how and its last lines', async () => {
  const port = await freePort()
  const ended = Promise.withResolvers<string>()
  const programs = supervisor({ logs: join(folder, 'ended'), echo: false, onEnd: ended.resolve })
  await programs.start(server(port))
  await fetch(`http://127.0.0.1:${port}/die`).catch(() => {})
  expect(await ended.promise).toMatch(/^book ended by itself \(exit code 7\).*\nthe book is on fire$/)
})

test('a service that can be restarted is, unless it had hardly worked', async () => {
  const port = await freePort()
  const ended = Promise.withResolvers<string>()
  const again = `${server(port).command[2]}; console.log('again')`
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const programs = supervisor({ logs: join(folder, 'restarted'), echo: false, onEnd: ended.resolve, restartAfterMs: 0 })
  await programs.start({ ...server(port), restart: { command: [process.execPath, '-e', again] } })
  for (const times of [1, 2]) {
    await fetch(`http://127.0.0.1:${port}/die`).catch(() => {})
    await eventually(() => expect(said.mock.calls.filter(([line]) => line === 'book runs again.')).toHaveLength(times))
  }
  expect(readFileSync(join(folder, 'restarted/book.log'), 'utf8')).toBe('again\n')
  await programs.stop()

  const strict = supervisor({ logs: join(folder, 'hardly'), echo: false, onEnd: ended.resolve, restartAfterMs: 3_600_000 })
  await strict.start({ ...server(port), restart: { command: [process.execPath, '-e', again] } })
  await fetch(`http://127.0.0.1:${port}/die`).catch(() => {})
  expect(await ended.promise).toMatch(/^book ended by itself/)
})

test('a service that is always restarted is, also if it had hardly worked and fails again', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const programs = supervisor({ logs: join(folder, 'always'), echo: false, onEnd: () => expect.unreachable(), restartAfterMs: 1 })
  const times = join(folder, 'times')
  // Ends at once the first time, before it is ready the second, and stays the third.
  const command: [string, ...string[]] = [
    'sh',
    '-c',
    `echo x >> ${times}; [ $(wc -l < ${times}) = 2 ] || echo ready; [ $(wc -l < ${times}) != 3 ] || sleep 60`,
  ]
  await programs.start({ name: 'settler', command, cwd: folder, readyWords: /ready/, restart: { always: true } })
  await eventually(() => expect(said.mock.calls.flat()).toContain('settler runs again.'))
  await eventually(() => expect(readFileSync(times, 'utf8')).toBe('x\nx\nx\n'))
  await programs.stop()
})

test.each([
  ['ends before it is ready', ['sh', '-c', 'echo no database; exit 1'], 'no database'],
  ['cannot be run', ['no-such-program'], 'ENOENT'],
] as [string, [string, ...string[]], string][])('a service that %s fails the start with its last lines', async (_, command, words) => {
  const programs = supervisor({ logs: join(folder, 'early'), echo: false, onEnd: () => expect.unreachable() })
  const start = programs.start({ name: 'early', command, cwd: folder, readyUrl: `http://127.0.0.1:${await freePort()}/` })
  await expect(start).rejects.toThrow(words)
})

test('a service that ends before it says that it is ready fails the start with its last lines', async () => {
  const programs = supervisor({ logs: join(folder, 'silent'), echo: false, onEnd: () => expect.unreachable() })
  const command: [string, ...string[]] = ['sh', '-c', 'echo no faucet; exit 1']
  await expect(programs.start({ name: 'silent', command, cwd: folder, readyWords: /^quoting/ })).rejects.toThrow('no faucet')
})

test('a killed supervisor leaves no service behind', async () => {
  const port = await freePort()
  const { command, readyUrl } = server(port)
  const source = `
    import { supervisor } from ${JSON.stringify(new URL('../src/supervisor.ts', import.meta.url).href)}
    const programs = supervisor({ logs: ${JSON.stringify(join(folder, 'killed'))}, echo: true, onEnd: console.log })
    await programs.start({ name: 'pid', command: ['sh', '-c', 'echo is $$; exec "$0" "$@"', ...${JSON.stringify(command)}], cwd: '/', readyUrl: ${JSON.stringify(readyUrl)} })
    console.log('up')`
  const owner = startChild(process.execPath, ['--input-type=module', '-e', source])
  await owner.waitFor(/up/)
  const [, pid] = await owner.waitFor(/is (\d+)/)
  await owner.stop('SIGKILL')
  await untilGone(pid!)
})
