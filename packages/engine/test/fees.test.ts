import { test } from 'vitest'
import { holds } from './script.ts'

test.each([
  ['0.5', '0.5', 'fee 1.75', '98.25'],
  ['0.1', '0.9', 'fee 0.63', '99.37'],
  ['0.01', '0.99', 'fee 0.0693', '99.9307'],
])('100 shares at %s and 700 bps', (price, opposite, fee) =>
  holds(`
    market rain fee 700
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 100 @ ${opposite}
      placed a1 live 0 of 100
    place b1 bob BUY YES 100 @ ${price}
      placed b1 filled 100 of 100
      fill 100 @ ${price} mint b1 <- a1 ${fee}
      ended a1 filled 100 of 100
      ended b1 filled 100 of 100
  `),
)

test('on top of a BUY, out of the proceeds of a SELL; makers pay nothing', () =>
  holds(`
    market rain fee 700
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    split bob 100
      ok
    money bob
      bob: 0, rain-NO 100, rain-YES 100
    place a1 alice BUY YES 100 @ 0.5
      placed a1 live 0 of 100
    place b1 bob SELL YES 100 @ 0.5
      placed b1 filled 100 of 100
      fill 100 @ 0.5 direct b1 <- a1 fee 1.75
      ended a1 filled 100 of 100
      ended b1 filled 100 of 100
    money alice bob creator
      alice: 50, rain-YES 100
      bob: 48.25, rain-NO 100
      creator: 1.75
  `))

test('rounded half up once for the whole order: what a fill loses is carried to the next', () =>
  holds(`
    market rain tick 0.1 fee 1
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY NO 0.01 @ 0.5
      placed a1 live 0 of 0.01
    place a2 alice BUY NO 0.01 @ 0.5
      placed a2 live 0 of 0.01
    place a3 alice BUY NO 0.01 @ 0.5
      placed a3 live 0 of 0.01
    place a4 alice BUY NO 0.01 @ 0.5
      placed a4 live 0 of 0.01
    place b1 bob BUY YES 0.04 @ 0.5
      placed b1 filled 0.04 of 0.04
      fill 0.01 @ 0.5 mint b1 <- a1
      ended a1 filled 0.01 of 0.01
      fill 0.01 @ 0.5 mint b1 <- a2 fee 0.000001
      ended a2 filled 0.01 of 0.01
      fill 0.01 @ 0.5 mint b1 <- a3
      ended a3 filled 0.01 of 0.01
      fill 0.01 @ 0.5 mint b1 <- a4
      ended a4 filled 0.01 of 0.01
      ended b1 filled 0.04 of 0.04
    money creator
      creator: 0.000001
    place a5 alice BUY NO 1 @ 0.5
      placed a5 live 0 of 1
    place b2 bob BUY YES 0.01 @ 0.5
      placed b2 filled 0.01 of 0.01
      fill 0.01 @ 0.5 mint b2 <- a5
      ended b2 filled 0.01 of 0.01
    place b3 bob BUY YES 0.02 @ 0.5
      placed b3 filled 0.02 of 0.02
      fill 0.02 @ 0.5 mint b3 <- a5 fee 0.000001
      ended b3 filled 0.02 of 0.02
    money creator
      creator: 0.000002
  `))

test('rebate to makers by the weight of their fills, share to the referrer, the rest to the site that brought the order', () =>
  holds(`
    market rain fee 700 rebate 2000 affiliate 1000
      condition rain registered: open
    deposit alice 100
      ok
    deposit carol 100
      ok
    deposit bob 200
      ok
    account bob referrer rita
      account bob
    account bob referrer alice
      account bob
    place a1 alice BUY NO 10 @ 0.5
      placed a1 live 0 of 10
    place c1 carol BUY NO 30 @ 0.5
      placed c1 live 0 of 30
    place a2 alice BUY NO 10 @ 0.4
      placed a2 live 0 of 10
    place b1 bob BUY YES 50 @ 0.6 through shop
      placed b1 filled 50 of 50
      fill 10 @ 0.5 mint b1 <- a1 fee 0.175
      ended a1 filled 10 of 10
      fill 30 @ 0.5 mint b1 <- c1 fee 0.525
      ended c1 filled 30 of 30
      fill 10 @ 0.6 mint b1 <- a2 fee 0.168
      ended a2 filled 10 of 10
      ended b1 filled 50 of 50
    money alice carol rita shop creator
      alice: 91.0686, rain-NO 20
      carol: 85.105, rain-NO 30
      rita: 0.0868
      shop: 0.6076
      creator: 0
    place a3 alice BUY NO 1 @ 0.4
      placed a3 live 0 of 1
    place b2 bob BUY YES 1 @ 0.6
      placed b2 filled 1 of 1
      fill 1 @ 0.6 mint b2 <- a3 fee 0.0168
      ended a3 filled 1 of 1
      ended b2 filled 1 of 1
    money rita creator
      rita: 0.08848
      creator: 0.01176
  `))

test('remainders of the parts go to the fee account', () =>
  holds(`
    market rain tick 0.1 fee 1000 rebate 3333 affiliate 3333
      condition rain registered: open
    deposit alice 100
      ok
    deposit carol 100
      ok
    deposit bob 100
      ok
    account bob referrer rita
      account bob
    place a1 alice BUY NO 0.01 @ 0.5
      placed a1 live 0 of 0.01
    place c1 carol BUY NO 0.02 @ 0.5
      placed c1 live 0 of 0.02
    place b1 bob BUY YES 0.03 @ 0.5
      placed b1 filled 0.03 of 0.03
      fill 0.01 @ 0.5 mint b1 <- a1 fee 0.00025
      ended a1 filled 0.01 of 0.01
      fill 0.02 @ 0.5 mint b1 <- c1 fee 0.0005
      ended c1 filled 0.02 of 0.02
      ended b1 filled 0.03 of 0.03
    money alice carol rita creator bob
      alice: 99.995083, rain-NO 0.01
      carol: 99.990166, rain-NO 0.02
      rita: 0.000249
      creator: 0.000252
      bob: 99.98425, rain-YES 0.03
  `))

test('exact where numbers end: an order of forty million shares', () =>
  holds(`
    market rain tick 0.1 fee 9999 rebate 5000
      condition rain registered: open
    deposit alice 30000000
      ok
    deposit carol 30000000
      ok
    deposit bob 60000000
      ok
    place a1 alice BUY NO 39999999.98 @ 0.5
      placed a1 live 0 of 39999999.98
    place c1 carol BUY NO 0.03 @ 0.5
      placed c1 live 0 of 0.03
    place b1 bob BUY YES 40000000 @ 0.5
      placed b1 filled 40000000 of 40000000
      fill 39999999.98 @ 0.5 mint b1 <- a1 fee 9998999.995001
      ended a1 filled 39999999.98 of 39999999.98
      fill 0.02 @ 0.5 mint b1 <- c1 fee 0.004999
      ended b1 filled 40000000 of 40000000
    money alice carol bob creator
      alice: 14999500.0075, rain-NO 39999999.98
      carol: 29999999.987499 (0.005 held), rain-NO 0.02
      bob: 30001000, rain-YES 40000000
      creator: 4999500.000001
  `))

test('makers of equal orders get equal rebates, however large they are', () =>
  holds(`
    market rain tick 0.0001 fee 999 rebate 3333
      condition rain registered: open
    deposit alice 10000000
      ok
    deposit carol 10000000
      ok
    deposit dave 10000000
      ok
    deposit bob 30000000
      ok
    place a1 alice BUY NO 13333333.23 @ 0.5001
      placed a1 live 0 of 13333333.23
    place c1 carol BUY NO 13333333.23 @ 0.5001
      placed c1 live 0 of 13333333.23
    place d1 dave BUY NO 13333333.23 @ 0.5001
      placed d1 live 0 of 13333333.23
    place b1 bob BUY YES 39999999.69 @ 0.4999
      placed b1 filled 39999999.69 of 39999999.69
      fill 13333333.23 @ 0.4999 mint b1 <- a1 fee 332999.984099
      ended a1 filled 13333333.23 of 13333333.23
      fill 13333333.23 @ 0.4999 mint b1 <- c1 fee 332999.9841
      ended c1 filled 13333333.23 of 13333333.23
      fill 13333333.23 @ 0.4999 mint b1 <- d1 fee 332999.984099
      ended d1 filled 13333333.23 of 13333333.23
      ended b1 filled 39999999.69 of 39999999.69
    money alice carol dave creator
      alice: 3442988.946377, rain-NO 13333333.23
      carol: 3442988.946377, rain-NO 13333333.23
      dave: 3442988.946377, rain-NO 13333333.23
      creator: 666033.268198
  `))

test('a fill of forty million shares at an odd price is charged to the millionth', () =>
  holds(`
    market rain tick 0.0001 fee 700
      condition rain registered: open
    deposit alice 30000000
      ok
    deposit bob 30000000
      ok
    place a1 alice BUY NO 39999285.88 @ 0.5001
      placed a1 live 0 of 39999285.88
    place b1 bob BUY YES 39999285.88 @ 0.4999
      placed b1 filled 39999285.88 of 39999285.88
      fill 39999285.88 @ 0.4999 mint b1 <- a1 fee 699987.4749
      ended a1 filled 39999285.88 of 39999285.88
      ended b1 filled 39999285.88 of 39999285.88
    money creator
      creator: 699987.4749
  `))

test('a market’s fee may change, up to the whole: orders that come are charged by the new one', () =>
  holds(`
    market rain fee 100
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 20 @ 0.5
      placed a1 live 0 of 20
    place b1 bob BUY NO 10 @ 0.5
      placed b1 filled 10 of 10
      fill 10 @ 0.5 mint b1 <- a1 fee 0.025
      ended b1 filled 10 of 10
    fee rain 10001
      refused invalid_amount
    fee rain 10000
      condition rain fee: open
    place b2 bob BUY NO 10 @ 0.5
      placed b2 filled 10 of 10
      fill 10 @ 0.5 mint b2 <- a1 fee 2.5
      ended a1 filled 20 of 20
      ended b2 filled 10 of 10
    money bob
      bob: 87.475, rain-NO 20
  `))
