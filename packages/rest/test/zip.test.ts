import { expect, test } from 'vitest'
import { zip } from '../src/zip.ts'

/** Bytes that other programs unpack: Info-ZIP, and Python’s `zipfile`, which checked them. */
const PACKED =
  'UEsDBBQAAAgAAAAAIQBlfxi2DAAAAAwAAAAFAAAAYS5jc3ZvbmUsdHdvCjEsMgpQSwMEFAAACAAAAAAhAAAAAAAAAAAAAAAAAAUAAABiLmNzdlBLAQIUABQAAAgAAAAAIQBlfxi2DAAAAAwAAAAFAAAAAAAAAAAAAAAAAAAAAABhLmNzdlBLAQIUABQAAAgAAAAAIQAAAAAAAAAAAAAAAAAFAAAAAAAAAAAAAAAAAC8AAABiLmNzdlBLBQYAAAAAAgACAGYAAABSAAAAAAA='

test('a ZIP is the one that other programs unpack', () => {
  expect(zip({ 'a.csv': 'one,two\n1,2\n', 'b.csv': '' }).toString('base64')).toBe(PACKED)
})
