import { expect, test } from 'vitest'
import { holds, Player } from './script.ts'

test('split and merge: one USDC is one Yes and one No', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    split alice 10.01
      refused insufficient_balance (10010000 of 10000000)
    split alice 10
      ok
    money alice
      alice: 0, rain-NO 10, rain-YES 10
    place a1 alice SELL YES 4 @ 0.9
      placed a1 live 0 of 4
    merge alice 7
      refused insufficient_shares (700 of 600)
    merge alice 6
      ok
    merge alice 0
      refused invalid_amount
    money alice
      alice: 6, rain-NO 4, rain-YES 0 (4 held)
  `))

test('a signed request takes effect once; a refused one may come again', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    split alice 20 r1
      refused insufficient_balance (20000000 of 10000000)
    split alice 2 r1
      ok
    split alice 2 r1
      done
    money alice
      alice: 8, rain-NO 2, rain-YES 2
    at 119.999
    split alice 2 r1
      done
    money alice
      alice: 8, rain-NO 2, rain-YES 2
    at 120
    split alice 2 r1
      ok
    money alice
      alice: 6, rain-NO 4, rain-YES 4
  `))

test('deposits and withdrawals count once by their reference', () =>
  holds(`
    deposit alice 10 d1
      ok
    deposit alice 10 d1
      refused duplicate_ref
    deposit bob 5 d1
      refused duplicate_ref
    withdraw alice 11 w1
      refused insufficient_balance (11000000 of 10000000)
    withdraw alice 4 w1
      ok
    withdraw alice 4 w1
      refused duplicate_ref
    money alice
      alice: 6 (4 leaving)
    returned w1
      ok
    settled w1
      refused unknown_ref
    money alice
      alice: 10
    withdraw alice 3 w2
      ok
    settled w2
      ok
    settled w2
      refused unknown_ref
    money alice
      alice: 7
    deposit alice 0 d2
      refused invalid_amount
    deposit alice 4000000000 d3
      refused supply_exceeded
    deposit alice 3999999993 d4
      ok
    at 600
    withdraw alice 1 w3
      ok
    deposit alice 1 w3
      refused duplicate_ref
    at 1200
    withdraw alice 1 w3
      refused duplicate_ref
    settled w3
      ok
    withdraw alice 1 w3
      ok
  `))

test('money that leaves can not be traded or held', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    place a1 alice BUY YES 10 @ 0.5
      placed a1 live 0 of 10
    withdraw alice 5.01 w1
      refused insufficient_balance (5010000 of 5000000)
    withdraw alice 5 w1
      ok
    place a2 alice BUY YES 0.01 @ 0.01
      refused insufficient_balance (100 of 0)
    money alice
      alice: 0 (5 held) (5 leaving)
  `))

test.each([
  ['1', '110', '100'],
  ['0', '100', '110'],
  ['0.5', '105', '105'],
  ['0.3333', '103.333', '106.667'],
])('resolved at %s: a Yes pays that much and a No the rest', (weight, alice, bob) => {
  const player = new Player()
  for (const line of [
    'market rain',
    'deposit alice 105',
    'deposit bob 105',
    'place a1 alice BUY YES 10 @ 0.5',
    'place b1 bob BUY NO 10 @ 0.5',
  ]) {
    player.line(line)
  }
  for (const line of [`resolve rain ${weight}`, 'redeem alice', 'redeem bob']) player.line(line)
  expect(player.line('money alice bob')).toEqual([`alice: ${alice}`, `bob: ${bob}`])
})

test('everybody is paid in pieces; who redeemed before is not paid twice', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 10
      ok
    deposit bob 10
      ok
    deposit carol 10
      ok
    split alice 10
      ok
    split bob 5
      ok
    split carol 5
      ok
    redeem alice
      refused condition_not_resolved
    redeem-all rain 10
      refused condition_not_resolved
    mode rain closed
      condition rain mode: closed
    resolve rain 1.1
      refused invalid_weight
    resolve rain 0.25
      condition rain resolved: resolved
    resolve rain 0.25
      refused condition_not_open
    redeem bob
      ok
    redeem bob
      done
    money bob
      bob: 10
    redeem-all rain 1
      done
    money alice carol
      alice: 0, rain-NO 10, rain-YES 10
      carol: 10
    redeem-all rain 10
      done
    redeem-all rain 10
      done
    money alice carol
      alice: 10
      carol: 10
  `))

const EVENT = `
    market ann event race 3
      condition ann registered: open
    market ben event race 3
      condition ben registered: open
    deposit alice 100
      ok
    convert alice race 1 ann
      refused event_incomplete
    resolve ann 1
      refused event_incomplete
    market cat event race 3
      condition cat registered: open
    market dan event race 3
      refused event_full
    market dan event race 4
      refused event_full`

test('convert: No of a set becomes cash for all but one, and Yes of every other', () =>
  holds(`${EVENT}
    in ann
    split alice 10
      ok
    in ben
    split alice 10
      ok
    convert alice race 4 ann ben
      ok
    money alice
      alice: 84, ann-NO 6, ann-YES 10, ben-NO 6, ben-YES 10, cat-YES 4
    convert alice race 7 ann
      refused insufficient_shares (700 of 600)
    convert alice race 1 ann ann
      refused invalid_amount
    convert alice race 1 rain
      refused unknown_token
    convert alice race 0 ann
      refused invalid_amount
    convert alice race 6 ann
      ok
    money alice
      alice: 84, ann-YES 10, ben-NO 6, ben-YES 16, cat-YES 10
    resolve ann 0
      condition ann resolved: resolved
    resolve ben 0.5
      condition ben resolved: resolved
    resolve cat 0.6
      refused invalid_weight
    resolve cat 0.4
      refused invalid_weight
    resolve cat 0.5
      condition cat resolved: resolved
    redeem alice ann
      ok
    redeem alice ben
      ok
    redeem alice cat
      ok
    money alice
      alice: 100
  `))

test('after an elimination converting goes on among the others; after anything else it ends', () =>
  holds(`${EVENT}
    in cat
    split alice 10
      ok
    resolve ann 0
      condition ann resolved: resolved
    convert alice race 5 cat
      ok
    money alice
      alice: 90, ben-YES 5, cat-NO 5, cat-YES 10
    mode ben paused
      condition ben mode: paused
    convert alice race 1 cat
      refused condition_not_open
    mode ben open
      condition ben mode: open
    resolve ben 0.1
      condition ben resolved: resolved
    convert alice race 1 cat
      refused condition_not_open
  `))
