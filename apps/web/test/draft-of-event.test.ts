import { draftContent } from '@augury/wire/platform/draft'
import { expect, test } from 'vitest'
import { draftOfEvent } from '../src/lib/admin/draft-of-event.ts'

type Shown = Parameters<typeof draftOfEvent>[0]

const market = (question: string, more: object = {}) => ({
  ...{
    question,
    short_title: question.slice(0, 4),
    outcomes: ['Over', 'Under'],
    rules: 'Market rules.',
    min_size: 0.5,
    tick_size: '0.001',
  },
  ...{ resolution_source: 'The league', resolution_source_url: 'https://league.example/', ...more },
})
const shown = (markets: object[], event: object = {}) =>
  ({
    event: {
      title: 'Cup',
      icon_url: `/uploads/${'a'.repeat(64)}.webp`,
      tags: ['sports', 'soccer'],
      rules: 'Rules.',
      neg_risk: false,
      ...event,
    },
    markets,
  }) as unknown as Shown

const common = {
  ...{
    title: 'Cup',
    slug: '',
    end_date: null,
    fee_bps: null,
    tags: ['sports', 'soccer'],
    rules: 'Rules.',
    min_size: 1,
    tick_size: '0.001',
  },
  ...{ resolution_source: 'The league', resolution_source_url: 'https://league.example/' },
}

test.each([
  ['one question', shown([market('Goals?')]), { mode: 'binary', question: 'Goals?', outcomes: ['Over', 'Under'], options: [] }],
  [
    'several questions',
    shown([market('Reds?'), market('Blues?')]),
    {
      mode: 'several',
      options: [
        { question: 'Reds?', short_title: 'Reds', slug: '' },
        { question: 'Blues?', short_title: 'Blue', slug: '' },
      ],
    },
  ],
  ['exactly one that wins', shown([market('Reds?')], { neg_risk: true }), { mode: 'exclusive', outcomes: ['Yes', 'No'] }],
  ['a picture of another site', shown([market('Goals?')], { icon_url: 'https://art.example/cup.png' }), { icon_url: '' }],
  ['rules of its markets alone', shown([market('Goals?')], { rules: '' }), { rules: 'Market rules.' }],
])('an event with %s becomes a draft that the form takes', (_, event, draft) => {
  expect(draftContent.parse(draftOfEvent(event))).toMatchObject({ ...common, ...draft })
})
