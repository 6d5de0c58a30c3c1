import { expect, test } from 'vitest'
import { drawSharePicture } from '../src/lib/server/share-picture.ts'

test('a picture for sharing is a PNG of the size that sites expect, whatever the texts hold', async () => {
  const rows = [
    { name: 'Yes & <b>no</b>', chance: '<1%', percent: 0 },
    { name: 'x'.repeat(200), chance: '53%', percent: 53 },
  ]
  const picture = await drawSharePicture({ site: 'Augury', title: 'سؤال? '.repeat(40), rows, foot: '' })
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630])
  expect(picture.length).toBeLessThan(150_000)
})
