import { test } from 'vitest'
import { holds } from './script.ts'

test('a market BUY spends its budget in whole lots, the best level first', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place a2 alice BUY NO 100 @ 0.43
      placed a2 live 0 of 100
    place b1 bob BUY YES $10 @ 0.57 FAK
      placed b1 filled 18.77 of 18.77
      fill 10 @ 0.5 mint b1 <- a1
      ended a1 filled 10 of 10
      fill 8.77 @ 0.57 mint b1 <- a2
      ended b1 filled 18.77 of 18.77
    order b1
      b1 filled 18.77 of 18.77
    money bob
      bob: 90.0011, rain-YES 18.77
  `))

test('a market BUY or nothing is filled when what is left buys no lot at its worst price', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place b1 bob BUY YES $5.01 @ 0.5 FOK
      placed b1 rejected (fok_not_filled) 0 of 0
      ended b1 rejected (fok_not_filled) 0 of 0
    place b2 bob BUY YES $5.0049 @ 0.5 FOK
      placed b2 filled 10 of 10
      fill 10 @ 0.5 mint b2 <- a1
      ended a1 filled 10 of 10
      ended b2 filled 10 of 10
    money bob
      bob: 95, rain-YES 10
  `))

test('the worst price of an order by budget is floored to the grid, in its own token', () =>
  holds(`
    market rain tick 0.01
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 10 @ 0.4
      placed a1 live 0 of 10
    place b1 bob BUY YES $1 @ 0.5999 FAK
      placed b1 rejected (fak_no_match) 0 of 0
      ended b1 rejected (fak_no_match) 0 of 0
    place b2 bob BUY YES $1 @ 0.6001 FAK
      placed b2 filled 1.66 of 1.66
      fill 1.66 @ 0.6 mint b2 <- a1
      ended b2 filled 1.66 of 1.66
    place b3 bob BUY NO $1 @ 0.0099 FAK
      refused price_out_of_range
    place b4 bob BUY YES $0.004 @ 0.5 FAK
      refused amount_too_small
  `))

test('a market BUY buys no more lots than an order may have', () =>
  holds(`
    market rain tick 0.0001
      condition rain registered: open
    deposit sara 60000000
      ok
    deposit bob 10000
      ok
    split sara 60000000
      ok
    place s1 sara SELL YES 30000000 @ 0.0001
      placed s1 live 0 of 30000000
    place s2 sara SELL YES 30000000 @ 0.0001
      placed s2 live 0 of 30000000
    place b1 bob BUY YES $4000.0001 @ 0.0001 FAK
      refused size_too_large
    money bob
      bob: 10000
    place b1 bob BUY YES $4000 @ 0.0001 FAK
      placed b1 filled 40000000 of 40000000
      fill 30000000 @ 0.0001 direct b1 <- s1
      ended s1 filled 30000000 of 30000000
      fill 10000000 @ 0.0001 direct b1 <- s2
      ended b1 filled 40000000 of 40000000
  `))
