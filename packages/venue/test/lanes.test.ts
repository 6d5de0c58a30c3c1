import { expect, test } from 'vitest'
import { Lanes } from '../src/serve/access/lanes.ts'

/** Something to wait for that a test ends when it likes. */
function gate(): { passed: Promise<void>; open(): void } {
  let open!: () => void
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

test('an account submits in the order in which its requests came, and waits for no other account', async () => {
  const lanes = new Lanes()
  const submitted: string[] = []
  const run = (account: `0x${string}`, name: string, wait: Promise<void> = Promise.resolve()) =>
    lanes.run(
      account,
      () => wait,
      async () => {
        submitted.push(name)
      },
    )
  const slow = gate()
  const first = run('0xa', 'a1 verified slowly', slow.passed)
  const second = run('0xa', 'a2')
  const other = run('0xb', 'b1')
  await other
  expect(submitted).toEqual(['b1'])
  slow.open()
  await Promise.all([first, second])
  expect(submitted).toEqual(['b1', 'a1 verified slowly', 'a2'])
})

test('a request that cannot be prepared holds up nothing, and keeps the order', async () => {
  const lanes = new Lanes()
  const submitted: string[] = []
  const slow = gate()
  const first = lanes.run('0xa', () => slow.passed, async () => void submitted.push('first')) // biome-ignore format: one line each
  const failed = lanes.run('0xa', () => Promise.reject(new Error('bad signature')), async () => {}) // biome-ignore format: one line each
  const third = lanes.run('0xa', async () => {}, async () => void submitted.push('third')) // biome-ignore format: one line each
  await expect(failed).rejects.toThrow('bad signature')
  slow.open()
  await Promise.all([first, third])
  expect(submitted).toEqual(['first', 'third'])
})
