import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startChild } from '../src/child-process.ts'
import { freePort, isFree } from '../src/free-port.ts'

const alive = (pid: number) => existsSync(`/proc/${pid}`)

async function untilGone(pid: number): Promise<void> {
  while (alive(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('a child has its output captured, gets only its own environment, and is stopped', async () => {
  const child = startChild('sh', ['-c', 'echo "colour=$COLOUR home=$HOME"; exec sleep 60'], { env: { COLOUR: 'red' } })
  const [, said] = await child.waitFor(/colour=(.*)/)
  expect(said).toBe('red home=')
  expect(await child.stop()).toBe(null)
  expect(alive(child.pid)).toBe(false)
})

test('processes that a child leaves running are killed with it', async () => {
  const child = startChild('sh', ['-c', 'sleep 60 & echo left $!'])
  const [, left] = await child.waitFor(/left (\d+)/)
  expect(await child.ended).toBe(0)
  await untilGone(Number(left))
})

test('waiting for output that never comes fails when the child ends, and shows its output', async () => {
  const child = startChild('sh', ['-c', 'echo no such book >&2; exit 3'])
  await expect(child.waitFor(/ready/)).rejects.toThrow(/ended \(3\).*no such book/s)
  expect(await child.ended).toBe(3)
})

test('a killed parent takes its children, and their children, with it', async () => {
  const source = `
    import { startChild } from ${JSON.stringify(new URL('../src/child-process.ts', import.meta.url).href)}
    const child = startChild('sh', ['-c', 'sleep 60 & echo "$$ $!"; wait'])
    const [pids] = await child.waitFor(/\\d+ \\d+/)
    console.log('pids', pids)`
  const parent = startChild(process.execPath, ['--input-type=module', '-e', source])
  const [, child, grandchild] = await parent.waitFor(/pids (\d+) (\d+)/)
  await parent.stop('SIGKILL')
  await untilGone(Number(child))
  await untilGone(Number(grandchild))
})

test('a free port can be listened on', async () => {
  const port = await freePort()
  expect(port).toBeGreaterThanOrEqual(13_000)
  expect(port).toBeLessThan(32_768)
  expect(await isFree(port)).toBe(true)
})
