import { NoAnswerError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { freshRoots } from '../src/lib/account/fresh-roots.ts'

test.each([
  ['the site does not answer', false, []],
  ['the exchange does not answer the site', true, null],
])('a proof is compared with no roots while %s', async (_, isRefreshed, roots) => {
  await expect(
    freshRoots(
      async () => isRefreshed,
      () => roots,
    ),
  ).rejects.toBeInstanceOf(NoAnswerError)
})

test('a proof is compared with the roots that are there after the refresh', async () => {
  let roots: [] | null = null
  const refresh = async () => {
    roots = []
    return true
  }
  expect(await freshRoots(refresh, () => roots)).toEqual([])
})
