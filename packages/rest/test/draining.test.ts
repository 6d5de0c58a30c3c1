import { join } from 'node:path'
import { type Child, startChild } from '@augury/testing/child-process'
import { freePort } from '@augury/testing/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { followingProxy } from './following-proxy.ts'

const DRAIN_MS = 4000

async function start(port: number): Promise<Child> {
  const child = startChild(process.execPath, [join(import.meta.dirname, 'draining-program.ts'), String(port), String(DRAIN_MS)])
  onTestFinished(() => void child.stop('SIGKILL'))
  await child.waitFor(/listening/)
  return child
}

test('two programs behind a proxy that follows their readiness are restarted one after the other, and no request is lost', async () => {
  const ports = [await freePort(), await freePort()] as const
  const programs = [await start(ports[0]), await start(ports[1])]
  const proxy = await followingProxy(ports)
  onTestFinished(() => proxy.close())
  await expect.poll(() => ports.every(proxy.sendsTo)).toBe(true)

  const failed: string[] = []
  const answered = new Set<string>()
  let isOver = false
  const ask = async () => {
    while (!isOver) {
      const answer = await fetch(proxy.url, { method: 'POST', body: 'x'.repeat(100) })
      const text = await answer.text()
      if (answer.ok) answered.add(text)
      else failed.push(`${answer.status} ${text}`)
    }
  }
  const asking = Array.from({ length: 8 }, ask)
  for (const [n, port] of ports.entries()) {
    expect(await programs[n]!.stop()).toBe(0)
    await expect.poll(() => proxy.sendsTo(port)).toBe(false)
    programs[n] = await start(port)
    await expect.poll(() => proxy.sendsTo(port)).toBe(true)
  }
  await expect.poll(() => programs.every(({ pid }) => answered.has(String(pid)))).toBe(true)
  isOver = true
  await Promise.all(asking)
  expect(failed).toEqual([])
})

test('a stopping program turns unready first, and answers on with connections that end', async () => {
  const port = await freePort()
  const program = await start(port)
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const ready = await ask('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok', database: true }])
  process.kill(program.pid, 'SIGTERM')
  await expect.poll(async () => (await ask('/readyz')).status).toBe(503)
  expect(await (await ask('/readyz')).json()).toMatchObject({ status: 'draining' })
  const last = await ask('/')
  expect([last.status, last.headers.get('connection')]).toEqual([200, 'close'])
  expect(await program.ended).toBe(0)
  await expect(ask('/')).rejects.toThrow('fetch failed')
})
