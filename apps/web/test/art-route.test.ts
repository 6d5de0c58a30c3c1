import type { RequestEvent } from '@sveltejs/kit'
import { expect, test } from 'vitest'
import { GET } from '../src/routes/art/[look]/[name].svg/+server.ts'

const get = async (look: string, name: string) => GET({ params: { look, name } } as RequestEvent<{ look: string; name: string }, never>)

test.each([
  ['1', 'f_es', "viewBox='0 0 64 64'"],
  ['1w', 'f_es', "viewBox='0 0 320 180'"],
])('a picture of look %s is a drawing that is kept for ever and runs nothing', async (look, name, shape) => {
  const answer = await get(look, name)
  expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
    200,
    {
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  ])
  expect(await answer.text()).toContain(shape)
})

test.each([
  ['1', 'nothing'],
  ['2', 'f_es'],
  ['__proto__', 'f_es'],
  ['1', 'p_<svg onload=alert(1)>_1'],
  ['1', '../../uploads/x'],
  ['1', `p_${'A'.repeat(10_000)}_1`],
])('%s/%s is no picture', async (look, name) => {
  const answer = await get(look, name)
  expect([answer.status, await answer.text()]).toEqual([404, 'There is no such picture.\n'])
})
