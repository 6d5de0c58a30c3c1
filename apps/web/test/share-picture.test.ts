import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawSharePicture } from '../src/lib/server/draw-picture.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'
import { pictureSite, sharePictures } from '../src/lib/server/share-picture.ts'

const none = { get: async () => null, put: async () => {} }
const ours = pictureSite({ blobs: none }, { name: 'Augury', icons: { small: '', large: '' } })

/** The colour in a corner of the mark's inside, as red, green and blue. */
async function markColour(picture: Buffer): Promise<number[]> {
  const { data } = await sharp(picture)
    .removeAlpha()
    .raw()
    .extract({ left: 68, top: 90, width: 1, height: 1 })
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

test('a picture for sharing has the icon of its operator, or the mark that the site comes with', async () => {
  const said = { title: 'Rain?', rows: [], foot: '' }
  expect(await markColour(await drawSharePicture({ ...said, site: ours }))).toEqual([29, 91, 214])
  const red = await sharp({ create: { width: 192, height: 192, channels: 3, background: '#c01020' } })
    .png()
    .toBuffer()
  const name = `${'a'.repeat(64)}.png`
  const blobs = { ...none, get: async (asked: string) => (asked === name ? red : null) }
  const site = pictureSite({ blobs }, { name: 'Rain House', icons: { small: `/uploads/${name}`, large: '' } })
  expect(await markColour(await drawSharePicture({ ...said, site }))).toEqual([192, 16, 32])
})

test('a picture for sharing is a PNG of the size that sites expect, whatever the texts hold', async () => {
  const rows = [
    { name: 'Yes & <b>no</b>', chance: '<1%', percent: 0 },
    { name: 'x'.repeat(200), chance: '53%', percent: 53 },
    { name: 'Without a price', chance: '–', percent: null },
  ]
  const picture = await drawSharePicture({ site: ours, title: 'سؤال? '.repeat(40), rows, foot: '' })
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630])
  expect(picture.length).toBeLessThan(150_000)
})

test('nothing of a picture for sharing reaches its edges, where it would be cut off', async () => {
  const rows = Array.from({ length: 3 }, () => ({ name: 'A candidate', chance: '53%', percent: 100 }))
  const picture = sharp(await drawSharePicture({ site: ours, title: 'Rain? MAMMAL '.repeat(40), rows, foot: '$1.2M vol' })).removeAlpha()
  for (const edge of [
    { left: 0, top: 594, width: 1200, height: 36 },
    { left: 1164, top: 0, width: 36, height: 630 },
  ]) {
    const { channels } = await sharp(await picture.clone().extract(edge).png().toBuffer()).stats()
    expect(channels.map(({ min, max }) => [min, max])).toEqual([11, 15, 20].map((tone) => [tone, tone]))
  }
})

test('pictures are drawn one after the other, and a client that requests all of them at once is refused', async () => {
  const drawn: { title: string; done: (picture: Buffer) => void }[] = []
  const pictureOf = sharePictures(({ title }) => new Promise((done) => void drawn.push({ title, done })))
  const ask = (page: string, address = 'another address') =>
    pictureOf(page, { site: ours, title: page, rows: [], foot: '' }, { now: 0, address })
  const asked = Array.from({ length: 20 }, (_, n) => ask(`p${n}`, `visitor ${n}`))
  const same = ask('p0')
  await expect(ask('p20')).rejects.toMatchObject({ code: 'overloaded', status: 503 })
  for (let n = 0; n < 20; n++) {
    expect(drawn.map(({ title }) => title)).toEqual(Array.from({ length: n + 1 }, (_, at) => `p${at}`))
    drawn[n]!.done(Buffer.from(`p${n}`))
    await asked[n]
    await new Promise((resume) => setImmediate(resume))
  }
  expect(String(await same)).toBe('p0')
  const next = ask('p20')
  await new Promise((resume) => setImmediate(resume))
  drawn[20]!.done(Buffer.from('p20'))
  expect(String(await next)).toBe('p20')
})

test('one address has four pictures drawn at a time, so that others get theirs', async () => {
  const drawn: (() => void)[] = []
  const pictureOf = sharePictures(({ title }) => new Promise((done) => void drawn.push(() => done(Buffer.from(title)))))
  const ask = (page: string, address: string) => pictureOf(page, { site: ours, title: page, rows: [], foot: '' }, { now: 0, address })
  const asked = ['p0', 'p1', 'p2', 'p3'].map((page) => ask(page, 'crowd'))
  await expect(ask('p4', 'crowd')).rejects.toMatchObject({ code: 'overloaded' })
  asked.push(ask('p4', 'visitor'), ask('p4', 'crowd')) // once requested, it is there for everybody
  for (const [n, picture] of asked.slice(0, 5).entries()) {
    await expect.poll(() => drawn.length).toBe(n + 1)
    drawn[n]!()
    expect(String(await picture)).toBe(`p${n}`)
  }
  expect(String(await asked[5])).toBe('p4')
  const next = ask('p5', 'crowd')
  await expect.poll(() => drawn.length).toBe(6)
  drawn[5]!()
  expect(String(await next)).toBe('p5')
})

test('a picture requested in one language is not shown in another', async () => {
  const pictureOf = sharePictures(async ({ foot }) => Buffer.from(foot))
  const ask = (foot: string) => pictureOf('p', { site: ours, title: 'Rain?', rows: [], foot }, { now: 0, address: 'an address' })
  expect(String(await withLocale('es', () => ask('30 jun')))).toBe('30 jun')
  expect(String(await withLocale('en', () => ask('30 Jun')))).toBe('30 Jun')
  expect(String(await withLocale('es', () => ask('later')))).toBe('30 jun')
})
