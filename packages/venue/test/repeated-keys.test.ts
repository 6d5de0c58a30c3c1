import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonOf, requestOf } from '../src/serve/streams/frames.ts'

const schema = z.looseObject({ type: z.string() })

test.each(['{"type":"market","type":"user"}', String.raw`{"type":"market","t\u0079pe":"user"}`, '{"type":"user","auth":{"a":1,"a":2}}'])(
  'a frame of a socket with a key twice is refused: %s',
  (text) => {
    expect(jsonOf(text)).toBeUndefined()
    expect(() => requestOf(schema, text)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
  },
)

test('a frame with every key once is read, and one that is no JSON is called that', () => {
  expect(requestOf(schema, '{"type":"market","of":{"type":":"}}')).toEqual({ type: 'market', of: { type: ':' } })
  expect(() => requestOf(schema, '{"type"')).toThrow(expect.objectContaining({ code: 'invalid_json' }))
})
