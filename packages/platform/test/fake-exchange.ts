import { type VenueClient, venueClient } from '@augury/client/rest'

/** Responses of a fake exchange: JSON values, or a `Response`. Throw to be unreachable. */
export interface Answers {
  /** Row of one condition; undefined leaves it out. */
  volume?: (conditionId: string) => unknown
  /** Book of one token; undefined leaves it out. */
  book?: (tokenId: string) => unknown
  /** Called before each response; may return its own. */
  before?: (ids: string[]) => Response | Promise<Response | undefined> | undefined
}

/** Our client with a fake exchange. `asked` has the ids of every request. */
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

/** A book as in `POST /books`, from levels as `price x size`, best first. */
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
