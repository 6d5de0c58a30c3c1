import { expect, test } from 'vitest'
import { base64Of, cropOf } from '../src/lib/admin/picture-file.ts'

test.each([
  [
    { across: 50, down: 50, zoom: 100 },
    { x: 0.25, y: 0, side: 1, pixels: 400 },
  ],
  [
    { across: 0, down: 100, zoom: 100 },
    { x: 0, y: 0, side: 1, pixels: 400 },
  ],
  [
    { across: 100, down: 100, zoom: 50 },
    { x: 0.75, y: 0.5, side: 0.5, pixels: 200 },
  ],
])('sliders at %j keep a square inside the image', (place, square) => {
  expect(cropOf({ width: 800, height: 400 }, place)).toEqual(square)
})

test('a file becomes base64, whatever its bytes', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  expect(await base64Of(new Blob([bytes]))).toBe(Buffer.from(bytes).toString('base64'))
})
