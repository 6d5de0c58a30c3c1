import { program, type Stage, Tally } from './program.ts'

/** Makes every call of polymarket-data. */
export async function polymarketData({ world, maker }: Stage): Promise<Tally> {
  const tally = new Tally('polymarket-data 0.0.1')
  const { Polymarket } = await program('polymarket-data', '0.0.1', 'dist/index.js')
  // Its paths replace the path of the address that it is given, so that its own `fetch` option leads them.
  const at = (mount: string) =>
    new Polymarket({
      fetch: (asked: string, init: RequestInit) => {
        const { pathname, search } = new URL(asked)
        return fetch(`${world.url}/compat${mount}${pathname}${search}`, init)
      },
    })
  const { data, health } = at('')
  const { gamma } = at('/gamma')
  const user = maker.wallet.address
  const market = [world.market]
  const id = Number((await (await fetch(`${world.url}/compat/gamma/events?slug=rain-event`)).json())[0].id)
  const page = { limit: 100, offset: 0 }
  const sorted = { sizeThreshold: 0, redeemable: false, mergeable: false, sortBy: 'TOKENS', sortDirection: 'DESC' }
  const parent = { parent_entity_type: 'Event', parent_entity_id: id }

  await tally.try('health', () => health())
  await tally.try('getPositions', () => data.core.getPositions({ user, ...page, ...sorted }))
  await tally.try('getTrades', () => data.core.getTrades({ market, ...page, takerOnly: true }))
  await tally.try('getActivity', () => data.core.getActivity({ user, ...page, sortBy: 'TIMESTAMP', sortDirection: 'DESC' }))
  await tally.try('getHolders', () => data.core.getHolders({ market, limit: 20, minBalance: 1 }))
  await tally.try('getValue', () => data.core.getValue({ user }))
  await tally.try('getTraded', () => data.misc.getTraded({ user }))
  await tally.try('getOpenInterest', () => data.misc.getOpenInterest({ market }))
  await tally.try('getLiveVolume', () => data.misc.getLiveVolume({ id }))
  await tally.try('listTeams', () => gamma.sports.listTeams())
  await tally.try('getSportsMetadata', () => gamma.sports.getSportsMetadata())
  await tally.try('publicSearch', () => gamma.search.publicSearch({ q: 'rain' }))
  await tally.try('listComments', () => gamma.comments.listComments(parent))
  await tally.try('getCommentById', () => gamma.comments.getCommentById(1))
  await tally.try('getCommentsByUserAddress', () => gamma.comments.getCommentsByUserAddress(user))
  const [daily] = (await tally.try('listSeries', () => gamma.series.listSeries())) ?? []
  await tally.try('getSeriesById', () => gamma.series.getSeriesById(Number(daily?.id)))
  await tally.try('listMarkets', () => gamma.markets.listMarkets())
  await tally.try('getEventById', () => gamma.events.getEventById(id))
  await tally.try('getEventTags', () => gamma.events.getEventTags(id))
  await tally.try('getEventBySlug', () => gamma.events.getEventBySlug('rain-event'))
  return tally
}
