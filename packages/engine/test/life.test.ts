import { test } from 'vitest'
import { holds } from './script.ts'

test('GTD ends at its second, in order of time and then of age', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 1 @ 0.5 GTD until 90
      placed a1 live 0 of 1
    place a2 alice BUY YES 1 @ 0.4 GTD until 60
      placed a2 live 0 of 1
    place a3 alice BUY YES 1 @ 0.3 GTD until 90
      placed a3 live 0 of 1
    place a4 alice BUY YES 1 @ 0.2
      placed a4 live 0 of 1
    at 59.999
    sweep
      done
    at 60
    sweep
      done
      ended a2 expired (expired) 0 of 1
    at 90
    sweep 1
      done
      ended a1 expired (expired) 0 of 1
    sweep 1
      done
      ended a3 expired (expired) 0 of 1
    book
      bids 0.2x1
      asks -
    money alice
      alice: 99.8 (0.2 held)
  `))

test('a dead-man switch cancels everything of its account unless armed again', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    deposit bob 100
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY NO 1 @ 0.4
      placed a2 live 0 of 1
    place b1 bob BUY YES 1 @ 0.3
      placed b1 live 0 of 1
    dead-man alice 10
      done
    dead-man bob 12
      done
    at 9
    dead-man alice 19
      done
    at 10
    sweep
      done
    dead-man bob off
      done
    at 19
    sweep 1
      done
      ended a1 cancelled (heartbeat) 0 of 1
    sweep
      done
      ended a2 cancelled (heartbeat) 0 of 1
    sweep
      done
    book
      bids 0.3x1
      asks -
  `))

test('close stops matching at once; sweeps end the orders; then nothing opens it again', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY YES 1 @ 0.4
      placed a2 live 0 of 1
    place a3 alice BUY NO 1 @ 0.4
      placed a3 live 0 of 1
    mode rain closed
      condition rain mode: closed
    place b1 alice BUY YES 1 @ 0.6
      refused market_closed
    resolve rain 1
      refused condition_not_empty
    cancel alice a2
      ended a2 cancelled (user) 0 of 1
    sweep 1
      done
      ended a1 cancelled (market_closed) 0 of 1
    sweep 1
      done
      ended a3 cancelled (market_closed) 0 of 1
    resolve rain 1
      condition rain resolved: resolved
    mode rain open
      refused condition_not_open
    money alice
      alice: 100
  `))

test('what each mode of a condition lets in', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    split alice 10
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY YES 1 @ 0.5
      placed a2 live 0 of 1
    mode rain paused
      condition rain mode: paused
    place a3 alice BUY YES 1 @ 0.5
      refused market_paused
    split alice 1
      refused market_paused
    merge alice 1
      ok
    cancel alice a1
      ended a1 cancelled (user) 0 of 1
    mode rain cancel_only
      condition rain mode: cancel_only
    place a3 alice BUY YES 1 @ 0.5
      refused cancel_only
    split alice 1
      refused cancel_only
    merge alice 1
      ok
    reduce alice a2 0.5
      reduced a2 to 0.5 (amend)
    mode rain closed
      condition rain mode: closed
    place a3 alice BUY YES 1 @ 0.5
      refused market_closed
    split alice 1
      refused market_closed
    merge alice 1
      ok
    sweep
      done
      ended a2 cancelled (market_closed) 0 of 0.5
    resolve rain 1
      condition rain resolved: resolved
    place a3 alice BUY YES 1 @ 0.5
      refused market_closed
    split alice 1
      refused market_closed
    merge alice 1
      refused condition_not_open
    redeem alice
      ok
    money alice
      alice: 100
  `))

test('what each mode of the venue lets in', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    place a2 alice BUY YES 1 @ 0.5
      placed a2 live 0 of 1
    place a3 alice BUY YES 1 @ 0.5
      placed a3 live 0 of 1
    venue post_only
      venue post_only
    place b1 alice BUY YES 1 @ 0.5
      refused post_only_mode
    place b2 alice BUY YES 1 @ 0.5 post-only
      placed b2 live 0 of 1
    cancel alice a1
      ended a1 cancelled (user) 0 of 1
    venue cancel_only
      venue cancel_only
    place b3 alice BUY YES 1 @ 0.5 post-only
      refused cancel_only
    cancel alice a2
      ended a2 cancelled (user) 0 of 1
    venue paused
      venue paused
    place b3 alice BUY YES 1 @ 0.5
      refused venue_paused
    split alice 1
      refused venue_paused
    cancel alice a3
      ended a3 cancelled (user) 0 of 1
    withdraw alice 10 w1
      ok
    venue normal
      venue normal
    place b3 alice BUY YES 1 @ 0.5
      placed b3 live 0 of 1
  `))

test('a banned account takes on nothing, and may leave', () =>
  holds(`
    market rain
      condition rain registered: open
    deposit alice 100
      ok
    split alice 10
      ok
    place a1 alice BUY YES 1 @ 0.5
      placed a1 live 0 of 1
    account alice banned
      account alice
    place a2 alice BUY YES 1 @ 0.5
      refused account_banned
    split alice 1
      refused account_banned
    cancel alice a1
      ended a1 cancelled (user) 0 of 1
    merge alice 10
      ok
    withdraw alice 100 w1
      ok
  `))

test('an unknown market, and one that is registered already', () =>
  holds(`
    market rain
      condition rain registered: open
    market rain
      refused condition_exists
    market fog tick 0.02
      refused invalid_price_tick
    market fog fee 10001
      refused invalid_amount
    market fog rebate 6000 affiliate 4001
      refused invalid_amount
    deposit alice 100
      ok
    place a1 alice BUY YES 1 @ 0.5 in hail
      refused unknown_token
    mode hail open
      refused unknown_token
    resolve hail 1
      refused unknown_token
    upgrade 2
      refused invalid_amount
    upgrade 3
      done
    upgrade 4
      refused invalid_amount
  `))
