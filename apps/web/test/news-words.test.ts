import { expect, test } from 'vitest'
import { newsWords } from '../src/lib/news/news-words.ts'
import { withLocale } from '../src/lib/server/page-locale.ts'

const told = (kind: string, figures: Record<string, unknown> = {}) => ({
  title: 'As',
  description: 'written',
  metadata: { kind, ...figures },
})
const fill = {
  ...{ side: 'BUY', size_matched: '10', original_size: '12.5', outcome: 'Yes' },
  ...{ price: '0.4', avg_price: '0.198112', market: 'Will it rain?' },
}
const split = { title: 'Will it rain?', outcomes: ['Yes', 'No'], lots: [1000, 500] }

test.each([
  ['order_filled', fill, 'Order filled', 'Bought 10 of 12.5 Yes at 19.81¢: Will it rain?'],
  ['order_filled', { ...fill, size_matched: '12.5' }, 'Order filled', 'Bought 12.5 Yes at 19.81¢: Will it rain?'],
  ['order_cancelled', { ...fill, side: 'SELL', avg_price: null, market: '' }, 'Order cancelled', 'Sold 10 of 12.5 Yes at 40¢.'],
  [
    'order_partly_filled',
    { ...fill, original_size: '10', amount: '12.000004', amount_matched: '1.98112' },
    'Order partly filled',
    'Bought 10 Yes at 19.81¢ for $1.98 of $12.00; $10.02 was not spent: Will it rain?',
  ],
  [
    'order_filled',
    { ...fill, original_size: '10', amount: '1.99', amount_matched: '1.98112' },
    'Order filled',
    'Bought 10 Yes at 19.81¢ for $1.98: Will it rain?',
  ],
  ['deposit', { amount: '12500000' }, 'Deposit received', '$12.50'],
  ['deposit', { amount: '4999' }, 'Deposit received', '<1¢'],
  ['withdrawal_sent', { amount: '1000000', destination: '0xAb' }, 'Withdrawal on its way', '$1.00 to 0xAb'],
  ['paid', { ...split, weight: 10_000 }, 'You are paid', 'Will it rain? – Yes. 10 Yes and 5 No pay $10.00.'],
  ['paid', { ...split, weight: 5000 }, 'You are paid', 'Will it rain? – split, Yes pays 50¢. 10 Yes and 5 No pay $7.50.'],
  ['paid', { ...split, weight: 5, lots: [100, 0] }, 'You are paid', 'Will it rain? – split, Yes pays 0.05¢. 1 Yes pay <1¢.'],
  [
    'moved',
    { event: 'Rain', end_time: '2027-01-02T12:00:00.000Z', reason: 'Late.' },
    'New end of trading',
    expect.stringMatching(/^Rain: trading ends on .*Jan 2.*\. Late\.$/),
  ],
  ['resolved', { ...split, weight: 0, lots: [1000, 0] }, 'Market resolved', 'Will it rain? – No. 10 Yes pay nothing.'],
  [
    'second_factor_off',
    {},
    'The second factor was turned off',
    'A passkey or wallet alone signs you in now. If this was not you, turn it on again, which ends your other sessions.',
  ],
  ['something_new', {}, 'As', 'written'],
])('%s with %j reads “%s”', (kind, figures, title, about) => {
  expect(newsWords(told(kind, figures))).toEqual({ title, about })
})

test('it is in the language of the page, and one from before kinds is as it was written', () => {
  expect(withLocale('es', () => newsWords(told('order_filled', fill)))).toEqual({
    title: 'Orden ejecutada',
    about: 'Compra de 10 de 12,5 Sí a 19,81¢: Will it rain?',
  })
  expect(withLocale('ar', () => newsWords(told('order_filled', fill))).about).toMatch(/: \u2068Will it rain\?\u2069$/)
  expect(newsWords({ title: 'Order filled', description: 'Bought 1.', metadata: {} })).toEqual({
    title: 'Order filled',
    about: 'Bought 1.',
  })
})
