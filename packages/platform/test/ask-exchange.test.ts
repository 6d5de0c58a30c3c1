import { NoAnswerError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { askExchangeForEach } from '../src/authorization/ask-exchange.ts'

const items = Array.from({ length: 60 }, (_, i) => i)

test('requests for many markets are sent several at a time, each once', async () => {
  const asked: number[] = []
  let [underWay, most, between] = [0, 0, 0]
  const ask = async (item: number) => {
    asked.push(item)
    most = Math.max(most, ++underWay)
    await new Promise(setImmediate)
    underWay--
  }
  await askExchangeForEach(items, ask, async () => {
    expect(underWay).toBe(0)
    between++
  })
  expect(asked).toEqual(items)
  expect([most, between]).toEqual([8, 8])
})

test('after a failure no further request is sent, and none is in flight', async () => {
  const ended: number[] = []
  const asking = askExchangeForEach(items, async (item) => {
    if (item === 9) throw new NoAnswerError('no answer')
    await new Promise(setImmediate)
    ended.push(item)
  })
  await expect(asking).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(ended).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
})
