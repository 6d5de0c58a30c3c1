import { type VenueClient, venueClient } from '@augury/client/rest'

/** What a test's exchange answers: a JSON value, or a `Response` of its own making. Throw to be unreachable. */
export interface Answers {
  /** Row of one condition; undefined leaves it out. */
  volume?: (conditionId: string) => unknown
  /** Book of one token; undefined leaves it out. */
  book?: (tokenId: string) => unknown
  /** Looks at a question before it is answered; may answer itself. */
  before?: (ids: string[]) => Response | Promise<Response | undefined> | undefined
}

/** Our own client, talking to an exchange that lives in the test. `asked` lists the ids of every question. */
export function fakeExchange(answers: Answers): { client: VenueClient; asked: string[][] } {
  const asked: string[][] = []
  const answer = async (input: string, init: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init.body))
    const [ids, row] = input.endsWith('/books')
      ? [body.map((item: { token_id: string }) => item.token_id), answers.book]
      : [body.conditions.map((item: { condition_id: string }) => item.condition_id), answers.volume]
    asked.push(ids)
    return (await answers.before?.(ids)) ?? Response.json(ids.map(row).filter((value: unknown) => value !== undefined))
  }
  const client = venueClient({ url: 'http://exchange.test', fetch: answer, retry: { attempts: 1, pauseMs: 0 } })
  return { client, asked }
}

/** A row of `POST /data/volumes`. */
export const volumeRow = (condition_id: string, volume: string, volume_24h = '0') => ({
  condition_id,
  status: 200,
  volume,
  volume_24h,
  open_interest: '1.5',
  active_positions_count: 2,
})

/** A book as `POST /books` shows it: levels as `price x size`, best first. */
export function bookOf(asset_id: string, bids: string, asks: string, last_trade_price = ''): unknown {
  const levels = (text: string) =>
    text
      .split(' ')
      .filter(Boolean)
      .map((level) => ({ price: level.split('x')[0], size: level.split('x')[1] }))
  return {
    market: '0x',
    asset_id,
    timestamp: '1',
    hash: '',
    bids: levels(bids),
    asks: levels(asks),
    min_order_size: '5',
    tick_size: '0.01',
    neg_risk: false,
    last_trade_price,
  }
}
