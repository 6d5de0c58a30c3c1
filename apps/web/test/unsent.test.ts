import { expect, test } from 'vitest'
import { unsent } from '../src/lib/admin/unsent.ts'

test('what was typed while it was saved is still there to be saved', () => {
  const sent = { title: 'Rain', tags: ['sky'], note: '' }
  expect(unsent(sent, sent)).toEqual({})
  expect(unsent({ title: 'Rain?', tags: ['sky', 'sea'], note: '', more: 1 }, sent as typeof sent & { more?: number })).toEqual({
    ...{ title: 'Rain?', tags: ['sky', 'sea'], more: 1 },
  })
})
