import { expect, test } from 'vitest'
import { chartCsv } from '../src/lib/charts/chart-export.ts'

test('a chart is a row for each moment, and a name that begins like a formula is a text', () => {
  const lines = [
    {
      slug: 'a',
      place: 0,
      name: '=HYPERLINK("https://evil.example")',
      points: [
        { t: 0, p: 0.5 },
        { t: 60_000, p: 0.75 },
      ],
    },
    { slug: 'b', place: 1, name: 'Rain, or snow', points: [{ t: 60_000, p: 0.25 }] },
  ]
  expect(chartCsv(lines)).toBe(
    [
      `time,"'=HYPERLINK(""https://evil.example"")","Rain, or snow"`,
      '1970-01-01T00:00:00.000Z,0.5,',
      '1970-01-01T00:01:00.000Z,0.75,0.25',
      '',
    ].join('\r\n'),
  )
})
