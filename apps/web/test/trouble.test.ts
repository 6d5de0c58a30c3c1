import { NoAnswerError, RefusedError } from '@augury/client/answer'
import { expect, test } from 'vitest'
import { troubleOf } from '../src/lib/failure/trouble.ts'

const WHAT = 'The order was not placed.'
const refused = (status: number, code?: string) =>
  new RefusedError(status, { error: 'the words of the server', code, request_id: 'id-1' }, undefined)

test('a refusal says that it failed and that no money moved; whatever may have happened after all says that', async () => {
  for (const [error, failed, moved, id] of [
    [refused(400, 'own_limit'), true, 'No money moved.', 'id-1'],
    [refused(503, 'service_unavailable'), true, 'No money moved.', 'id-1'],
    [refused(400), true, 'No money moved.', 'id-1'],
    [refused(500), false, 'Whether it was done is not known yet.', 'id-1'],
    [refused(503, 'outcome_unknown'), false, 'Whether it was done is not known yet.', 'id-1'],
    [new NoAnswerError('silence'), false, 'Whether it was done is not known yet.', null],
  ] as const) {
    const { what, money, remedy, requestId } = await troubleOf(error, WHAT)
    expect({ failed: what.startsWith(WHAT), money, requestId }).toEqual({ failed, money: moved, requestId: id })
    expect(remedy).not.toBe('')
  }
})

test('what happens once at most is tried again, whatever became of it; a refusal reads as before', async () => {
  const PERHAPS = 'The order may still be open.'
  for (const error of [refused(500), refused(503, 'outcome_unknown'), new NoAnswerError('silence')]) {
    const { what, money, remedy } = await troubleOf(error, WHAT, PERHAPS)
    expect(what.endsWith(PERHAPS)).toBe(true)
    expect([money, remedy]).toEqual([
      'If it was done, it was done once: the same request is never carried out twice.',
      'Try again in a moment.',
    ])
  }
  expect(await troubleOf(refused(503, 'service_unavailable'), WHAT, PERHAPS)).toEqual(
    await troubleOf(refused(503, 'service_unavailable'), WHAT),
  )
})

test('a wallet that said no says so in its own words', async () => {
  const declined = Object.assign(new Error('You declined the request in your wallet.'), { name: 'WalletDeclined' })
  const what = `${WHAT} You declined the request in your wallet.`
  expect(await troubleOf(declined, WHAT)).toEqual({ what, money: 'No money moved.', remedy: '', requestId: null })
})

test('what is a bug of the page is thrown on', async () => {
  await expect(troubleOf(new TypeError('x'), WHAT)).rejects.toThrow(TypeError)
})
