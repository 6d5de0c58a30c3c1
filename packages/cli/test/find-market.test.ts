import { temporaryFolder } from '@augury/testing/temporary-folder'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { between } from './between.ts'
import { exchangeWithMarkets } from './exchange.ts'
import { runLine } from './run-line.ts'

const keyFile = `${temporaryFolder('cli')}/key.json`
const alice = { AUGURY_WALLET_KEY: `0x${'a1'.repeat(32)}` }

let exchange: Awaited<ReturnType<typeof exchangeWithMarkets>>
beforeAll(async () => {
  exchange = await exchangeWithMarkets()
})
afterAll(() => exchange?.close())

/** Runs a command line in this process, against the exchange. */
const augury = (line: string, environment: Record<string, string> = {}) =>
  runLine(line, { AUGURY_URL: exchange.url, AUGURY_KEY_FILE: keyFile, ...environment })

test('a token names its outcome: another word beside it is refused, as it would be another bet', async () => {
  const [{ tokens }] = (await augury('markets --json --search rain')).json()
  const said = await augury(`order buy ${tokens[0].token_id} no --price 0.5 --size 10`, alice)
  expect(said).toMatchObject({ code: 2, out: '', error: expect.stringContaining('this token is of the outcome Yes, not no') })
  expect((await augury(`book ${tokens[1].token_id}`)).out).toMatch(/^Will there be rain\? No\n/)
  expect((await augury(`book ${tokens[1].token_id} no`)).code).toBe(0)
  expect((await augury('markets --search sleet')).out).toBe('no such market accepts orders: --all has the others')
})

test('a market is found by its slug without reading all markets', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  expect((await augury('book rain')).out).toContain('Will there be rain?')
  const paths = fetched.mock.calls.map(([asked]) => new URL(asked instanceof Request ? asked.url : asked).pathname)
  expect(paths).toContainEqual(expect.stringMatching(/^\/markets\/0x/))
  expect(paths).not.toContain('/markets')
})

test('markets with the words of a search are found by the exchange, and every page of the search is read', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => fetched.mockRestore())
  const found = async (words: string) =>
    (await augury(`markets --json --search ${words}`)).json().map(({ market_slug }: Record<string, string>) => market_slug)
  expect(await found('RAIN')).toEqual(['rain'])
  expect(await found('rain,')).toEqual(['rain']) // signs do not count
  const paths = () => new Set(fetched.mock.calls.map(([asked]) => new URL(asked instanceof Request ? asked.url : asked).pathname))
  expect([...paths()].map((path) => path.replace(/0x.*/, ''))).toEqual(['/gamma/public-search', '/markets/'])
  const asked: (string | null)[] = []
  const twoPages = await between(exchange.url, async ({ url }, text) => {
    if (!url!.startsWith('/gamma')) return text()
    const page = new URL(url!, exchange.url).searchParams.get('page')
    asked.push(page)
    return JSON.stringify({ ...JSON.parse(await text()), pagination: { hasMore: page !== '2', totalResults: 2 } })
  })
  onTestFinished(() => void twoPages.close())
  expect((await augury('markets --search snow', { AUGURY_URL: twoPages.url })).out).toContain('Will there be snow?')
  expect(asked).toEqual(['1', '2'])
})

test('a slug shared by two markets is refused, and the message lists their ids', async () => {
  const said = await augury('order buy hail yes --price 0.5 --size 10', alice)
  expect(said).toMatchObject({ code: 2, out: '' })
  const ids = said.error.match(/0x[0-9a-f]{64}/g) ?? []
  expect([said.error.includes('(ambiguous_market)'), new Set(ids).size]).toEqual([true, 2])
  for (const id of ids) expect((await augury(`book ${id}`)).out).toContain('Will there be hail')
})
