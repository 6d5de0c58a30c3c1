import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { readUpload } from '@augury/platform/admin/upload-image'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { Browser, walletOf } from './browser.ts'
import { testSite } from './test-site.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'augury-uploads-'))
const at = await testSite({ adminWallets: [walletOf(9000).address.toLowerCase() as `0x${string}`], dataDir })
const admin = new Browser(at)
await admin.signIn(walletOf(9000))
const upload = (bytes: Buffer | string, use = 'logo') =>
  admin.post(`/admin/api/uploads/${use}`, { data: Buffer.from(bytes).toString('base64') })
const served = (path: string) => readUpload(at.site, path.replace('/uploads/', ''))
const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 4, background: '#1d5bd6' } })

/** Requests made while a file is processed: there must be none. */
let requests = 0
const listener = createServer((_, response) => {
  requests++
  response.end()
})
await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
const port = (listener.address() as { port: number }).port
afterAll(async () => {
  listener.close()
  await rm(dataDir, { recursive: true, force: true })
})

test.each([
  ['png', 'logo', 600, 300, 512, 256],
  ['jpeg', 'icon192', 600, 300, 192, 192],
  ['webp', 'icon512', 100, 300, 512, 512],
] as const)('a %s for %s of %i by %i becomes a png of %i by %i', async (format, use, width, height, w, h) => {
  const source = await picture(width, height)
    .toFormat(format)
    .withExif({ IFD0: { Copyright: 'a photographer at home' } })
    .toBuffer()
  const { data } = (await upload(source, use)).body
  expect(data).toMatchObject({ type: 'image/png', width: w, height: h, svg: '' })
  const { bytes, headers } = (await served(data.path))!
  expect(Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG')
  expect(Buffer.from(bytes).includes('a photographer at home')).toBe(false)
  expect(headers).toMatchObject({
    'Content-Type': 'image/png',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': expect.stringContaining('immutable'),
    'Content-Security-Policy': expect.stringMatching(/default-src 'none'.*sandbox/),
  })
  expect((await upload(source, use)).body.data.path).toBe(data.path)
})

test('a picture of an event becomes a webp in two sizes, upright, from the square that was chosen', async () => {
  const halves = sharp({ create: { width: 800, height: 400, channels: 3, background: '#ff0000' } }).composite([
    {
      input: await sharp({ create: { width: 400, height: 400, channels: 3, background: '#0000ff' } })
        .png()
        .toBuffer(),
      left: 400,
      top: 0,
    },
  ])
  // Turned by a quarter, so that red is above blue once it is upright.
  const source = await halves.jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer()
  const crop = { x: 0, y: 0.5, side: 1 }
  const { data } = (await admin.post('/admin/api/uploads/event', { data: source.toString('base64'), crop })).body
  expect(data).toMatchObject({ type: 'image/webp', width: 400, height: 400 })
  const small = (await served(data.path.replace('.webp', '-128.webp')))!
  expect(small.headers['Content-Type']).toBe('image/webp')
  const { width, height, hasAlpha } = await sharp(small.bytes).metadata()
  const { dominant } = await sharp(small.bytes).stats()
  expect([width, height, hasAlpha, dominant.b > 200, dominant.r < 50]).toEqual([128, 128, false, true, true])
})

test.each([
  ['http://example.org/a.png', 'invalid_payload'],
  ['file:///etc/passwd', 'invalid_payload'],
  ['https://127.0.0.1/a.png', 'image_unusable'],
  ['https://localhost/a.png', 'image_unusable'],
  ['https://169.254.169.254/latest/meta-data', 'image_unusable'],
  ['https://[::1]/a.png', 'image_unusable'],
  ['https://me:secret@example.org/a.png', 'image_unusable'],
  ['https://example.org:8443/a.png', 'image_unusable'],
])('a picture is not fetched from %s', async (url, code) => {
  expect(await admin.post('/admin/api/uploads/event', { url })).toMatchObject({ status: 400, body: { success: false, code } })
})

test('neither a file nor an address is no image', async () => {
  expect(await admin.post('/admin/api/uploads/event', {})).toMatchObject({ status: 400, body: { code: 'image_unusable' } })
})

const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" ${attributes}>${inside}</svg>`
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const gif = Buffer.from('GIF89a/*\x01\x00\x01\x00*/=1;alert(1)')
test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['nothing', () => Buffer.alloc(4)],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a page behind the beginning of a png', () => Buffer.concat([PNG, Buffer.from('<html><script>alert(1)</script>')])],
  ['a png that was cut off', async () => (await picture(200, 200).png().toBuffer()).subarray(0, 60)],
  ['a gif that is a script as well', () => gif],
  ['a program', () => Buffer.from('7f454c46020101', 'hex')],
  [
    'an svg with an entity bomb',
    () => Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>`),
  ],
  ['an svg that is not well-formed', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>')],
  ['an svg in no namespace', () => Buffer.from('<svg><path d="M0 0"/></svg>')],
  ['an svg of ten thousand elements', () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(10_000)}</svg>`)],
  ['masks within masks', () => Buffer.from(svg('<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><rect/></mask><g mask="url(#a)"/>'))],
  ['a mask that is named again and again', () => Buffer.from(svg(`<mask id="a"/>${'<g mask="url(#a)"/>'.repeat(33)}`))],
  ['a book', () => Buffer.from(svg(`<rect/><text>${'W'.repeat(250)}<tspan>${'W'.repeat(251)}</tspan></text>`))],
  ['a gradient of many stops', () => Buffer.from(svg(`<rect/><linearGradient>${'<stop/>'.repeat(65)}</linearGradient>`))],
  ['a tower of elements', () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(100)}${'</g>'.repeat(100)}</svg>`)],
  [
    'a picture of which nothing is seen',
    () =>
      sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
  ],
])('%s is not an image', async (_, make) => {
  expect(await upload(await make(), 'icon192')).toMatchObject({ status: 400, body: { success: false, code: 'image_unusable' } })
})

test.each([
  ['a script alone', '<script>alert(1)</script>'],
  ['a picture inside, which is not taken', '<image href="data:image/png;base64,AAAA" width="9" height="9"/>'],
  ['parts that are never drawn', '<defs><rect width="9" height="9"/></defs><clipPath id="a"><path d="M0 0h9v9z"/></clipPath>'],
  ['invisible words', '<title>A logo</title><text> </text>'],
])('an SVG of %s is refused as a logo', async (_, inside) => {
  for (const use of ['logo', 'icon192'])
    expect(await upload(svg(inside), use)).toMatchObject({
      status: 400,
      body: { code: 'image_unusable', details: { reason: 'nothing of it would be seen' } },
    })
})

test.each(['<text x="1" y="8">A</text>', '<g><path d="M0 0h9v9z"/></g>'])('an SVG of %s is accepted as a logo', async (inside) => {
  expect((await upload(svg(inside))).body).toMatchObject({ success: true })
})

// Where every letter of a word is tried, it takes hundreds of times as long.
test('a drawing of long words is read like one of as many letters in short words', async () => {
  const processorTime = async (word: string) => {
    const attributes = ['d', 'fill', 'stroke', 'id', 'transform'].map((name) => `${name}="${word}"`)
    const before = process.cpuUsage()
    expect((await upload(svg(`<path ${attributes.join(' ')}/>`))).body).toMatchObject({ success: true })
    return process.cpuUsage(before).user
  }
  const inShortWords = await processorTime('aaa '.repeat(4_975))
  expect(await processorTime('a'.repeat(19_900))).toBeLessThan(20 * inShortWords)
})

test('an image with too many pixels is refused before it is decoded', async () => {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(30_000, 0)
  header.writeUInt32BE(30_000, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const bomb = Buffer.concat([PNG, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(90_001))), chunk('IEND', Buffer.alloc(0))])
  expect(await upload(bomb, 'icon192')).toMatchObject({
    status: 400,
    body: { code: 'image_unusable', details: { reason: expect.stringContaining('pixel limit') } },
  })
})

test('images are limited to two megabytes, and requests of more than three are not read', async () => {
  const over = Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024 - 7)])
  expect(await upload(over)).toMatchObject({ status: 413, body: { success: false, code: 'payload_too_large' } })
  expect((await upload(Buffer.alloc(3 * 1024 * 1024))).status).toBe(413)
  expect(await admin.post('/admin/api/uploads/logo', { data: 'not base64!' })).toMatchObject({ status: 400 })
  expect(await admin.post('/admin/api/uploads/banner', { data: 'AAAA' })).toMatchObject({ status: 400 })
})

test('a site stores at most a thousand images a day, over all admins', async () => {
  const icon = () => picture(9, 9).png().toBuffer()
  const stored = await at.rows(`select count(*)::int as n from audit_log where action = 'image_uploaded'`)
  await at.rows(
    `insert into audit_log (action, client_address, details, at)
     select 'image_uploaded', '', '{}', ?::timestamptz + n * interval '1 second' from generate_series(1, ?) n`,
    [new Date(at.clock.now() - 3_600_000), 999 - Number(stored[0]!.n)],
  )
  expect((await upload(await icon())).status).toBe(200)
  const { status, body, headers } = await upload(await icon())
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3600)
  at.clock.advance(Number(headers.get('retry-after')) * 1000)
  await admin.signIn(walletOf(9000))
  expect((await upload(await icon())).status).toBe(200)
})

const AWAY = `http://127.0.0.1:${port}/x`
const ATTACKS = [
  '<script>alert(1)</script>',
  '<script href="data:text/javascript,alert(1)"/>',
  '<path d="M0 0" onclick="alert(1)"/>',
  '<path d="M0 0" ONLOAD="alert(1)"/>',
  '<a href="javascript:alert(1)"><text>x</text></a>',
  '<a xlink:href="java&#115;cript:alert(1)"><text>x</text></a>',
  '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
  `<image href="${AWAY}"/>`,
  `<image xlink:href="${AWAY}"/>`,
  `<use href="${AWAY}#a"/>`,
  '<use href="#a"/><g id="a"><use href="#a"/></g>',
  `<path d="M0 0" fill="url(${AWAY}#a)"/>`,
  `<path d="M0 0" fill="url( '${AWAY}#a' )"/>`,
  `<path d="M0 0" style="background:url(${AWAY})"/>`,
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<set attributeName="onmouseover" to="alert(1)"/>',
  '<handler xmlns="http://www.w3.org/2001/xml-events">alert(1)</handler>',
  `<filter id="f"><feImage href="${AWAY}"/></filter>`,
  '<iframe src="javascript:alert(1)"/>',
  '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<text><![CDATA[<script>alert(1)</script>]]></text>',
  '<text>&lt;script&gt;alert(1)&lt;/script&gt;</text>',
  '<title>&lt;img src=x onerror=alert(1)&gt;</title>',
  `<linearGradient id="g" href="${AWAY}"/>`,
  `<linearGradient id="g" xlink:href="data:image/svg+xml,x"/>`,
  '<path d="M0 0" fill="expression(alert(1))"/>',
  '<path d="M0 0" fill="\\75 rl(x)"/>',
  `<g mask="image-set('${AWAY}' 1x)"><path d="M0 0"/></g>`,
  `<path d="M0 0" fill="image('${AWAY}')"/>`,
  `<path d="M0 0" clip-path="src('${AWAY}')"/>`,
  `<path d="M0 0" fill="cross-fade('//elsewhere.example/x', red)"/>`,
  '<svg><script>alert(1)</script></svg>',
  '<metadata><script>alert(1)</script></metadata>',
  '<switch><script>alert(1)</script></switch>',
  '<?xml-stylesheet href="data:text/css,x"?><path d="M0 0"/>',
  '<!-- --><script>alert(1)</script><!-- -->',
  '<path d="M0 0C9 9 0 9 9 0" stroke-dasharray="0.001" stroke-dashoffset="1"/>',
  '<radialGradient id="g" r="0.0001" spreadMethod="reflect"/>',
]
test.each(ATTACKS)('%s is sanitised', async (inside) => {
  const { status, body } = await upload(svg(`${inside}<path d="M1 1"/>`, 'onload="alert(1)"'))
  expect(status).toBe(200)
  const text = body.data.svg
  expect(text).toContain('<path d="M1 1"></path>')
  expect(text).not.toMatch(
    /<(?!\/?(svg|path|g|text|title|(linear|radial)Gradient)\b)|<[^>]*\son\w+=|javascript:|data:|127\.0\.0\.1|elsewhere|<!|<\?|style=|dash|spread|href="(?!#)/i,
  )
  expect(new TextDecoder().decode((await served(body.data.path))!.bytes)).toBe(text)
})

test.each([
  ['an attribute', '<path d="M1 1" fill="red" style="fill:#00f; stroke : none!important"/>', 'fill="#00f" stroke="none"'],
  ['a class', '<style>.a{fill:#00f}/* x */.b,.c{stroke:red}</style><path class="c a" d="M1 1"/>', 'fill="#00f" stroke="red"'],
  [
    'an id before a class before a name',
    '<style>#x{fill:#00f}.a{fill:red}path{fill:lime}</style><path id="x" class="a" d="M1 1"/>',
    'fill="#00f"',
  ],
  [
    'a sheet after its element',
    '<path class="a" d="M1 1"/><style><![CDATA[path.a { fill: rgb(0, 0, 255) }]]></style>',
    'fill="rgb(0, 0, 255)"',
  ],
  ['a sheet with a font', '<style>@font-face{font-family:x}*{fill:#00f}</style><path d="M1 1"/>', 'fill="#00f"'],
])('an SVG keeps the colours of %s', async (_, inside, kept) => {
  const { status, body } = await upload(svg(inside))
  expect(status).toBe(200)
  const path = body.data.svg.match(/<path[^>]*>/)[0]
  for (const attribute of kept.split(/ (?=stroke)/)) expect(path).toContain(attribute)
  expect(body.data.svg).not.toMatch(/style|class/)
})

test.each([
  [`<style>@import "${AWAY}";</style>`, 'a style sheet with “@import” is not supported'],
  ['<style>@media print { path { fill: red } }</style>', 'a style sheet with “@media” is not supported'],
  ['<style>g > path { fill: red }</style>', 'a style for “g > path” is not supported: name an element, a class or an id'],
  [`<style>path { fill: url(${AWAY}) }</style>`, `the style “fill: url(${AWAY})” cannot be kept`],
  ['<path d="M0 0" style="fill:var(--a)"/>', 'the style “fill: var(--a)” cannot be kept'],
  [`<style>path { mask: url(#m) }</style><g>${'<path d="M0 0"/>'.repeat(40)}</g>`, 'too many cuts and masks'],
])('the styles of %s are refused with the reason', async (inside, reason) => {
  expect(await upload(svg(`${inside}<path d="M1 1"/>`))).toMatchObject({
    status: 400,
    body: { code: 'image_unusable', details: { reason } },
  })
})

test('the visible parts of an SVG are kept', async () => {
  const inside =
    '<defs><linearGradient id="a" x1="0"><stop offset="0" stop-color="#fff"/></linearGradient><linearGradient id="b" href="#a"/></defs>' +
    '<g transform="translate(1 2)" fill="url(#b)"><circle cx="1" cy="2" r="3"/><text x="1">A &amp; B</text></g>'
  const { data } = (await upload(svg(inside))).body
  expect(data.svg).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><linearGradient id="a" x1="0"><stop offset="0" stop-color="#fff"></stop>' +
      '</linearGradient><linearGradient id="b" href="#a"></linearGradient></defs><g transform="translate(1 2)" fill="url(#b)">' +
      '<circle cx="1" cy="2" r="3"></circle><text x="1">A &amp; B</text></g></svg>',
  )
  expect((await served(data.path))!.headers['Content-Type']).toBe('image/svg+xml')
  const saved = await admin.call('PUT', '/admin/api/settings/general', {
    logoMode: 'svg',
    logoSvg: svg('<script>x</script><path d="M0 0"/>'),
  })
  expect(saved.body.data.values.logoSvg).not.toContain('script')
})

test.each(['../secrets', 'a.png', `${'0'.repeat(64)}.png`, `${'0'.repeat(64)}.html`, '', '%2e%2e/x'])(
  'there is no upload %j',
  async (name) => {
    expect(await readUpload(at.site, name)).toBeNull()
  },
)

test('no requests were made, and there were no unexpected failures', () => {
  expect([requests, at.bugs]).toEqual([0, []])
})
