import { beforeEach, expect, test } from 'vitest'
import { type Points, pricePoints } from './price-points.ts'
import { discoveryEvent, openEvents, testPlatform } from './test-platform.ts'

const { platform, clock } = await testPlatform()
await openEvents(platform, [discoveryEvent('rain', 'Will it rain?', ['t'], [{ slug: 'rain' }])])
const [market]: { id: string }[] = await platform.em().execute('select condition_id as id from market')
const { note, points, rolled } = pricePoints(platform, market!.id, clock.now()) // noon

beforeEach(() => platform.em().execute('delete from price_point; delete from price_rollup'))

const NOTED: [what: string, given: Points[], kept: Points, five: Points][] = [
  ['a first price', [[[0.5, 40]]], [[0, 40]], [[0, 40]]],
  [
    'the last of a minute',
    [
      [
        [0.1, 40],
        [0.9, 41],
      ],
    ],
    [[0, 41]],
    [[0, 41]],
  ],
  [
    'no second point of what stands still',
    [
      [
        [0, 40],
        [1, 40],
      ],
      [[2, 40]],
    ],
    [[0, 40]],
    [[0, 40]],
  ],
  [
    'each change',
    [
      [
        [0, 40],
        [1, 41],
        [6, 42],
      ],
    ],
    [
      [0, 40],
      [1, 41],
      [6, 42],
    ],
    [
      [0, 41],
      [5, 42],
    ],
  ],
  [
    'what changes back within a minute',
    [
      [
        [0, 40],
        [1, 41],
      ],
      [[1.5, 40]],
    ],
    [
      [0, 40],
      [1, 40],
    ],
    [[0, 40]],
  ],
  [
    'what comes late, and leaves what follows it',
    [
      [
        [0, 40],
        [4, 44],
      ],
      [[2, 42]],
    ],
    [
      [0, 40],
      [2, 42],
      [4, 44],
    ],
    [[0, 44]],
  ],
  [
    'what comes late at the end of a stretch',
    [
      [
        [0, 40],
        [7, 47],
      ],
      [[4, 44]],
    ],
    [
      [0, 40],
      [4, 44],
      [7, 47],
    ],
    [
      [0, 44],
      [5, 47],
    ],
  ],
  [
    'the same twice',
    [
      [
        [0, 40],
        [3, 43],
      ],
      [
        [0, 40],
        [3, 43],
      ],
    ],
    [
      [0, 40],
      [3, 43],
    ],
    [[0, 43]],
  ],
  ['halves of a step', [[[0, 40.005]]], [[0, 40.005]], [[0, 40.005]]],
]
test.each(NOTED)('history keeps %s', async (_, given, kept, five) => {
  for (const each of given) await note(each)
  expect(await points()).toEqual(kept)
  expect(await rolled(5)).toEqual(five)
  expect(await rolled(60)).toEqual([[0, kept.at(-1)![1]]])
  expect(await rolled(1440)).toEqual([[-720, kept.at(-1)![1]]])
})
