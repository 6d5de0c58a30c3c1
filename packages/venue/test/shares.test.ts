import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Shares } from '../src/serve/access/shares.ts'

/** What begins in a turn of its own has begun after it. */
const nextTurn = async () => {
  await setImmediate()
  await setImmediate()
}

/** Work that ends when the test says so, in the order in which it began. */
function byHand(shares: Shares) {
  const begun: { name: string; end: PromiseWithResolvers<string> }[] = []
  const run = (client: string, name: string) =>
    shares.run(client, () => {
      const end = Promise.withResolvers<string>()
      begun.push({ name, end })
      return end.promise
    })
  const names = () => begun.map(({ name }) => name)
  return { run, begun, names }
}

test('of one client two run at once, and the others follow in order', async () => {
  const { run, begun, names } = byHand(new Shares(2, 10))
  const all = ['a', 'b', 'c', 'd'].map((name) => run('ann', name))
  expect(names()).toEqual(['a', 'b'])
  begun[1]!.end.resolve('of b')
  await nextTurn()
  expect(names()).toEqual(['a', 'b', 'c'])
  begun[0]!.end.reject(new Error('away'))
  await expect(all[0]).rejects.toThrow('away')
  await nextTurn()
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  for (const { end, name } of begun) end.resolve(`of ${name}`)
  expect(await Promise.all(all.slice(1))).toEqual(['of b', 'of c', 'of d'])
})

test('others do not wait for a client with much to ask', async () => {
  const { run, names } = byHand(new Shares(2, 10))
  for (const name of ['a', 'b', 'c']) void run('ann', name)
  void run('bob', 'd')
  expect(names()).toEqual(['a', 'b', 'd'])
})

test('what is too much to wait is refused, and what waits is not disturbed', async () => {
  const { run, begun, names } = byHand(new Shares(1, 1))
  const [first, second] = [run('ann', 'a'), run('ann', 'b')]
  await expect(run('ann', 'c')).rejects.toMatchObject({ code: 'overloaded' })
  begun[0]!.end.resolve('of a')
  expect(await first).toBe('of a')
  await nextTurn()
  begun[1]!.end.resolve('of b')
  expect(await second).toBe('of b')
  await nextTurn()
  void run('ann', 'd')
  expect(names()).toEqual(['a', 'b', 'd'])
})

test('what is done at once takes a share of its turn, whether it comes together or one after the other', async () => {
  const shares = new Shares(2, 10)
  const done: number[] = []
  const read = (n: number) => shares.run('ann', async () => void done.push(n))
  const reads: Promise<void>[] = []
  for (let n = 0; n < 6; n++) {
    reads.push(read(n))
    await null // as much as one waits who is answered at once
  }
  expect(done).toEqual([0, 1])
  await Promise.all(reads)
  expect(done).toEqual([0, 1, 2, 3, 4, 5])
})
