import { useCases } from '@augury/platform/operations'
import { ownHistory } from '@augury/platform/portfolio/own-history'
import { expect, test } from 'vitest'
import { memberOn } from './as-member.ts'
import { fund, tradingSite } from './exchange.ts'
import { trader } from './traders.ts'

const at = await tradingSite()

test.each([2, 500])('a whole history in pages of %i has each row once, also while it grows', async (limit) => {
  const { browser, wallet } = await trader(at)
  const member = await memberOn(at, browser)
  const amounts = Array.from({ length: 12 }, (_, i) => `${i + 1}`)
  await Promise.all(
    amounts.map((amount) => useCases.splitPosition(at.site, member, { body: { market: at.markets.rain.condition, amount } } as never)),
  )
  const all = { query: { market: [], type: [], limit: 500, offset: 0 } } as never
  await expect.poll(async () => (await useCases.listOwnActivity(at.site, member, all)).length).toBe(amounts.length + 1) // wait for history
  const sizes: string[] = []
  for await (const rows of ownHistory(at.site, member, [], limit)) {
    sizes.push(...rows.map(({ type, size, usdcSize }) => `${type} ${size || usdcSize}`))
    await fund(at, wallet.address, `0.${sizes.length}`)
  }
  const known = sizes.filter((row) => row.startsWith('SPLIT') || row === 'DEPOSIT 100')
  expect(known.toSorted()).toEqual(['DEPOSIT 100', ...amounts.map((amount) => `SPLIT ${amount}`)].toSorted())
  expect(new Set(sizes).size).toBe(sizes.length)
  const splits: string[] = []
  for await (const rows of ownHistory(at.site, member, ['SPLIT'], limit)) splits.push(...rows.map(({ type }) => type))
  expect(splits).toEqual(amounts.map(() => 'SPLIT'))
})
