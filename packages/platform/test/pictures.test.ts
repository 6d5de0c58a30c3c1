import { expect, test } from 'vitest'
import { pictureOfEvent, pictureOfMarket, pictureOfPerson } from '../src/pictures/pictures.ts'

const cup = { title: '2026 FIFA World Cup Winner', icon_url: '', tags: ['sports'] }

test.each([
  ['/uploads/cup.webp', '/uploads/cup.webp'],
  ...[
    'https://elsewhere.example/cup.png',
    '//elsewhere.example/cup.png',
    '/r/abc123',
    '/?r=abc123',
    '/uploads/../r/abc123',
    '/uploads/cup.webp?r=abc123',
    '',
  ].map((address) => [address, '/art/1/e_football.svg']),
])('an event whose picture is stored as %j is shown with %s', (icon_url, shown) => {
  expect(pictureOfEvent({ ...cup, icon_url: icon_url! })).toBe(shown)
})

test('a market has its own picture, and the only one that of its event', () => {
  const spain = { name: 'Spain', icon_url: '', single: false }
  expect(pictureOfMarket(spain, cup)).toBe('/art/1/f_es.svg')
  expect(pictureOfMarket({ ...spain, icon_url: '/uploads/a.webp' }, cup)).toBe('/uploads/a.webp')
  expect(pictureOfMarket({ ...spain, icon_url: 'https://elsewhere.example/a.png' }, cup)).toBe('/art/1/f_es.svg')
  expect(pictureOfMarket({ ...spain, single: true }, cup)).toBe('/art/1/e_football.svg')
  expect(pictureOfMarket({ ...spain, single: true }, { ...cup, icon_url: '/uploads/cup.webp' })).toBe('/uploads/cup.webp')
})

test('a member has a picture, with and without a name', () => {
  const address = '0x00000000000000000000000000000000000000aa'
  expect(pictureOfPerson({ username: 'ann_bell', address, image: '' })).toBe('/art/1/u_ann_bell.svg')
  expect(pictureOfPerson({ username: null, address, image: '' })).toBe(`/art/1/a_${address}.svg`)
  expect(pictureOfPerson({ username: null, address, image: '/uploads/me.webp' })).toBe('/uploads/me.webp')
})
